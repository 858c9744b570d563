import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { backOffDelay } from '../../lib/async/retry.ts';
import { isConfigured } from '../../lib/config/models.ts';
import type { Config } from '../../lib/config.ts';
import { frameReader, writeFrame } from '../../lib/isolation/frames.ts';
import { type Bounds, CHANNEL } from '../../lib/isolation/program.ts';
import { startProcess } from '../../lib/isolation/start-process.ts';
import { log } from '../../lib/log.ts';
import { findFreePort } from '../free-port.ts';
import { embedderFolder, MODEL_KINDS, type ModelKind, type ModelManifest, readManifest } from './manifest.ts';
import type { Order, Report } from './program.ts';

/**
 * An embedder and a reranker of this size take 600 MB; a batch of long texts takes some hundred more. The process has
 * the service's read access, and writes nothing.
 */
const BOUNDS: Bounds = {
  memoryMb: 2560,
  heapMb: 512,
  cpuSeconds: Number.POSITIVE_INFINITY,
  files: { largestMb: 1024 * 1024 }, // For the log, if it's a file.
  atOnce: { main: 1, worker: 0 },
};
/** Milliseconds before a restart; doubles each time, until the process has stayed up for a while. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const STAYED_MS = 60_000;
const MAX_REPORT_BYTES = 64 * 1024;

export interface Supervised {
  url: string;
  key: string;
  stop(): void;
}

interface Options extends Pick<Order, 'folder' | 'runs'> {
  /** File URL of program.ts, or of its build. */
  program: string;
  firstPauseMs?: number;
}

/**
 * Runs the embedder as a process next to the service, at one loopback URL for as long as the service runs. Restarts it
 * when it ends (also if another process took its port), and kills it with the service. Doesn't wait for the model.
 */
export async function superviseEmbedder({
  program,
  firstPauseMs = FIRST_PAUSE_MS,
  ...what
}: Options): Promise<Supervised> {
  const order: Order = { ...what, port: await findFreePort(), key: randomBytes(24).toString('base64url') };
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  const start = () => {
    const startedAt = performance.now();
    let refused = false;
    child = startEmbedder(program, order, (refusal) => {
      refused = true;
      log.error('the embedder does not start', { reason: refusal });
    });
    child.once('close', (code, signal) => {
      if (stopped || refused) return;
      failures = performance.now() - startedAt > STAYED_MS ? 1 : failures + 1;
      const pauseMs = backOffDelay(failures, firstPauseMs, LONGEST_PAUSE_MS);
      log.warn('the embedder ended, and is started again', { code: code ?? signal, pauseMs });
      timer = setTimeout(start, pauseMs).unref();
    });
  };
  start();
  return {
    url: `http://127.0.0.1:${order.port}/v1`,
    key: order.key,
    stop() {
      stopped = true;
      clearTimeout(timer);
      child?.kill('SIGKILL');
    },
  };
}

function startEmbedder(program: string, order: Order, refuse: (reason: string) => void): ChildProcess {
  const child = startProcess({ url: program, bounds: BOUNDS });
  const channel = child.stdio[CHANNEL] as Socket;
  const take = (report: unknown) => {
    const { refusal } = report as { refusal?: string } & Report;
    if (refusal === undefined) return log.info('the embedder reports', { ...(report as object) });
    refuse(refusal);
    child.kill('SIGKILL');
  };
  channel.on(
    'data',
    frameReader(() => MAX_REPORT_BYTES, take),
  );
  channel.on('error', () => {}); // The process's exit is more informative.
  child.once('error', (error) => log.error('the embedder was not started', {}, error));
  writeFrame(channel, order);
  channel.unref();
  child.unref();
  return child;
}

/**
 * Runs the installed models (`npm run embedder`), unless other services are configured, and makes their URLs known to
 * modules imported after this. Returns a function that ends them.
 */
export async function startLocalEmbedder(config: Config, program: URL): Promise<() => void> {
  const { embedding, providers, rerank, entailment, aws, dataDir } = config;
  if (aws !== undefined) return () => {};
  const folder = embedderFolder(dataDir);
  const isElsewhere = {
    embedder: [embedding, providers.openai, providers.gemini].some(isConfigured),
    reranker: rerank.baseUrl !== undefined,
    entailment: entailment.baseUrl !== undefined,
  };
  const installed = new Map<ModelKind, ModelManifest>();
  for (const kind of MODEL_KINDS.filter((each) => !isElsewhere[each])) {
    const manifest = await orLog(readManifest(folder, kind));
    if (manifest !== undefined) installed.set(kind, manifest);
  }
  if (installed.size === 0) return () => {};
  const runs = [...installed.keys()];
  const { url, key, stop } = await superviseEmbedder({ program: program.href, folder, runs });
  process.env.LOCAL_EMBEDDER_URL = url;
  process.env.LOCAL_EMBEDDER_KEY = key;
  for (const [kind, { model }] of installed) process.env[`LOCAL_${kind.toUpperCase()}_MODEL`] = model;
  return stop;
}

async function orLog<Manifest>(read: Promise<Manifest>): Promise<Manifest | undefined> {
  try {
    return await read;
  } catch (error) {
    log.error('failed to read what is installed of the embedder', {}, error);
    return undefined;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Server {
  url: string;
  stop(): Promise<void>;
}

export interface ServerCommand {
  name: string;
  file: string;
  args: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Polled until it returns `healthStatus`, by default 200. */
  healthUrl: string;
  healthStatus?: number;
  /** Milliseconds until it must respond. */
  readyWithinMs?: number;
  /** Replaces `fetch`, which doesn't trust a server's own certificate. */
  fetch?: typeof globalThis.fetch;
}

const READY_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 8000;

/** Starts a server and waits until it responds. Throws with its last output if it exits or stays silent. */
export async function startProcess(command: ServerCommand): Promise<{ stop(): Promise<void> }> {
  const { file, args, cwd, env } = command;
  // A separate process group, so that processes that the server starts (functions' workers) end with it.
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = keepTail(child);
  const endWithUs = () => signal(child, 'SIGKILL');
  process.once('exit', endWithUs);
  const stop = async () => {
    process.off('exit', endWithUs);
    await end(child);
  };
  try {
    await untilReady(command, child);
  } catch (error) {
    await stop();
    throw new Error(`${command.name}: ${(error as Error).message}\n${output()}`);
  }
  return { stop };
}

/** Creates a folder for the server's files, removed when this process ends at the latest. */
export async function temporaryFolder(name: string): Promise<{ path: string; remove(): void }> {
  const path = await mkdtemp(join(tmpdir(), `wrs-${name}-`));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  return { path, remove };
}

async function untilReady(command: ServerCommand, child: ChildProcess): Promise<void> {
  const failed = once(child, 'error').then(([error]) => {
    throw error;
  });
  failed.catch(() => {});
  const { readyWithinMs = READY_WITHIN_MS } = command;
  const until = performance.now() + readyWithinMs;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`ended with code ${child.exitCode}`);
    if (await Promise.race([isHealthy(command), failed])) return;
    await sleep(100);
  }
  throw new Error(`did not answer within ${readyWithinMs / 1000} s`);
}

async function isHealthy({ healthUrl, healthStatus = 200, fetch = globalThis.fetch }: ServerCommand) {
  try {
    const response = await fetch(healthUrl, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.status === healthStatus;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
  signal(child, 'SIGTERM');
  const patience = sleep(STOPS_WITHIN_MS, undefined, { ref: false });
  await Promise.race([gone, patience]);
  signal(child, 'SIGKILL'); // the rest of the group
  await gone;
}

function signal({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The whole group has ended.
  }
}

function keepTail(child: ChildProcess): () => string {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      tail = (tail + String(chunk)).slice(-4000);
    });
  }
  return () => tail;
}

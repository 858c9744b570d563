import { once } from 'node:events';
import { Socket } from 'node:net';
import { operatorCommand } from '../../lib/config/installation.ts';
import { frameReader, writeFrame } from '../../lib/isolation/frames.ts';
import { CHANNEL } from '../../lib/isolation/program.ts';
import { killProcess } from '../../lib/kill-process.ts';
import { log } from '../../lib/log.ts';
import { loadEntailmentModel, loadRerankingModel } from './cross-encoders.ts';
import { loadEmbeddingModel } from './embedding-model.ts';
import {
  findChanged,
  homeOf,
  MODEL_KINDS,
  type ModelKind,
  type ModelManifest,
  modelFolder,
  readManifest,
} from './manifest.ts';
import { modelThreads } from './onnx-model.ts';
import { embedderServer, type LoadedModel, type Models } from './server.ts';

/** The supervisor's instructions. They aren't arguments, because every user on the host can read those. */
export interface Order {
  folder: string;
  /** The installed models to run. */
  runs: ModelKind[];
  port: number;
  key: string;
}

/** Reports to the supervisor. A refusal is final, because another start would end the same way. */
export type Report = { listening: true } | { ready: true } | { refusal: string };

/** Maximum bytes of an order; real orders are short. */
const MAX_ORDER_BYTES = 64 * 1024;

/** Runs as a separate process (supervise.ts), until its parent ends. */
function serve(): void {
  const channel = new Socket({ fd: CHANNEL });
  const report = (message: Report) => writeFrame(channel, message);
  const read = frameReader(
    () => MAX_ORDER_BYTES,
    (order) => {
      work(order as Order, report).catch((error: Error) => {
        log.error('the embedder stops', {}, error);
        killProcess();
      });
    },
  );
  channel.on('data', read);
  channel.once('close', killProcess);
}

/**
 * Listens first, so that requests during loading wait for the model. A missing, changed, or broken model doesn't affect
 * the others.
 */
async function work(order: Order, report: (message: Report) => void): Promise<void> {
  const { port, key } = order;
  const models: Models = {
    embedder: await openModel(order, 'embedder', loadEmbeddingModel),
    reranker: await openModel(order, 'reranker', loadRerankingModel),
    entailment: await openModel(order, 'entailment', loadEntailmentModel),
  };
  const server = embedderServer(models, key);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  report({ listening: true });
  const states = await Promise.all(MODEL_KINDS.map((kind) => stateOf(models[kind])));
  for (const state of states)
    if (state instanceof Error) log.error('a model of the embedder is not run', {}, state);
  const [embedder] = states;
  if (embedder instanceof Error && !(embedder instanceof ModelChanged)) throw embedder; // Another start may succeed.
  report(states.includes('ready') ? { ready: true } : { refusal: 'None of its models can be run.' });
}

/** Waits until a model is loaded, and returns its state. */
async function stateOf(model: LoadedModel<unknown> | undefined): Promise<'absent' | 'ready' | Error> {
  if (model === undefined) return 'absent';
  return model.loaded.then(
    () => 'ready',
    (error: Error) => error,
  );
}

type LoadModel<Model> = (packages: string, files: string, threads: number) => Promise<Model>;

async function openModel<Model>(
  { folder, runs }: Order,
  kind: ModelKind,
  loadModel: LoadModel<Model>,
): Promise<LoadedModel<Model> | undefined> {
  const manifest = runs.includes(kind) ? await readManifest(folder, kind) : undefined;
  if (manifest === undefined) return undefined;
  const home = homeOf(folder, kind);
  const loaded = requireUnchanged(home, manifest).then(() =>
    loadModel(folder, modelFolder(home), modelThreads()),
  );
  loaded.catch(() => {}); // Awaited after the server listens.
  return { ...manifest, loaded };
}

/** Throws ModelChanged if a file differs from the manifest. */
async function requireUnchanged(folder: string, manifest: ModelManifest): Promise<void> {
  const changed = await findChanged(folder, manifest);
  if (changed !== undefined)
    throw new ModelChanged(
      `${changed} of ${manifest.model} was changed after the installation. Install it again, or remove it (${operatorCommand('embedder')}).`,
    );
}

/** Final, because another start would end the same way. */
class ModelChanged extends Error {}

if (import.meta.main) serve();

import { once } from 'node:events';
import { Socket } from 'node:net';
import { frameReader, writeFrame } from '../../lib/isolation/frames.ts';
import { CHANNEL } from '../../lib/isolation/program.ts';
import { killProcess } from '../../lib/kill-process.ts';
import { log } from '../../lib/log.ts';
import { loadEmbeddingModel } from './embedding-model.ts';
import {
  findChanged,
  type ModelManifest,
  modelFolder,
  readEmbedderManifest,
  readRerankerManifest,
  rerankerFolder,
} from './manifest.ts';
import { modelThreads } from './onnx-model.ts';
import { loadRerankingModel } from './reranking-model.ts';
import { embedderServer, type Models } from './server.ts';

/** The order of the supervisor: not arguments, which every user on the host can read. */
export interface Order {
  folder: string;
  /** Which of the installed models it runs. */
  embeds: boolean;
  reranks: boolean;
  port: number;
  key: string;
}

/** Reports to the supervisor. A refusal is final: another start would end the same way. */
export type Report = { listening: true } | { ready: true } | { refusal: string };

/** An order is short. */
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
 * Listens first: requests during loading wait for the model. A model that is gone, was changed, or can't be loaded leaves the
 * other one running.
 */
async function work(order: Order, report: (message: Report) => void): Promise<void> {
  const { folder, embeds, reranks, port, key } = order;
  const models: Models = {
    embedder: embeds ? await openEmbedder(folder) : undefined,
    reranker: reranks ? await openReranker(folder) : undefined,
  };
  const server = embedderServer(models, key);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  report({ listening: true });
  const [embedder, reranker] = await Promise.all([stateOf(models.embedder), stateOf(models.reranker)]);
  for (const state of [embedder, reranker])
    if (state instanceof Error) log.error('a model of the embedder is not run', {}, state);
  if (embedder instanceof Error && !(embedder instanceof ModelChanged)) throw embedder; // another start may succeed
  const runs = embedder === 'ready' || reranker === 'ready';
  report(runs ? { ready: true } : { refusal: 'None of its models can be run.' });
}

/** Waits until a model is loaded, and returns its failure. */
async function stateOf(model: Models['embedder'] | Models['reranker']): Promise<'absent' | 'ready' | Error> {
  if (model === undefined) return 'absent';
  return model.loaded.then(
    () => 'ready',
    (error: Error) => error,
  );
}

async function openEmbedder(folder: string): Promise<Models['embedder']> {
  const manifest = await readEmbedderManifest(folder);
  return manifest && { ...manifest, loaded: load(folder, folder, manifest, loadEmbeddingModel) };
}

async function openReranker(folder: string): Promise<Models['reranker']> {
  const manifest = await readRerankerManifest(folder);
  const own = rerankerFolder(folder);
  return manifest && { ...manifest, loaded: load(folder, own, manifest, loadRerankingModel) };
}

type LoadModel<Model> = (packages: string, files: string, threads: number) => Promise<Model>;

function load<Model>(
  packages: string,
  folder: string,
  manifest: ModelManifest,
  loadModel: LoadModel<Model>,
): Promise<Model> {
  const loaded = requireUnchanged(folder, manifest).then(() =>
    loadModel(packages, modelFolder(folder), modelThreads()),
  );
  loaded.catch(() => {}); // it's awaited after the server listens
  return loaded;
}

/** Throws ModelChanged. */
async function requireUnchanged(folder: string, manifest: ModelManifest): Promise<void> {
  const changed = await findChanged(folder, manifest);
  if (changed !== undefined)
    throw new ModelChanged(
      `${changed} of ${manifest.model} was changed after the installation. Install it again, or remove it (npm run embedder).`,
    );
}

/** Another start would end the same way. */
class ModelChanged extends Error {}

if (import.meta.main) serve();

import { startLocalEmbedder } from '../../../infra/embedder/supervise.ts';
import { cohereReranker } from '../../../lib/adapters/cohere/reranker.ts';
import { readConfig } from '../../../lib/config.ts';
import type { Embedder } from '../../../lib/ports/embedder.ts';
import type { Reranker } from '../../../lib/ports/reranker.ts';
import { openEmbedder } from '../../../lib/wiring/embedder.ts';
import { openReranker } from '../../../lib/wiring/reranker.ts';
import { inBatches, serviceEmbedder } from '../service-embedder.ts';

export interface SearchServices {
  embedder?: Embedder | undefined;
  reranker?: Reranker | undefined;
  /** Stops the local models. */
  stop?: () => void;
}

interface Options {
  /**
   * URLs, including the version. Their keys and models are in the environment (`EMBEDDING_*`, `RERANK_*`).
   */
  embedder?: string | undefined;
  reranker?: string | undefined;
  /** True to use the models that are installed in DATA_DIR instead. */
  local: boolean;
}

/** Opens the services to measure next to keyword search. */
export async function openServices({ embedder, reranker, local }: Options): Promise<SearchServices> {
  if (local) return startLocal();
  return {
    embedder: embedder === undefined ? undefined : serviceEmbedder(embedder),
    reranker: reranker === undefined ? undefined : serviceReranker(reranker),
  };
}

function serviceReranker(baseUrl: string): Reranker {
  const { RERANK_API_KEY: apiKey, RERANK_MODEL: model = 'default' } = process.env;
  return cohereReranker({ apiKey, baseUrl, model });
}

/** Starts the local models as the service does if nothing else is configured. */
async function startLocal(): Promise<SearchServices> {
  const own = { DATA_DIR: process.env.DATA_DIR };
  const program = new URL('../../../infra/embedder/program.ts', import.meta.url);
  const stop = await startLocalEmbedder(readConfig(own), program);
  const started = Object.entries(process.env).filter(([name]) => name.startsWith('LOCAL_'));
  const config = readConfig({ ...own, ...Object.fromEntries(started) });
  const [embedder, reranker] = [openEmbedder(config), openReranker(config)];
  if (embedder === undefined && reranker === undefined)
    throw new Error('Nothing is installed. Run npm run embedder -- install.');
  return { embedder: embedder && inBatches(embedder), reranker, stop };
}

import {
  embedderFolder,
  readEmbedderManifest,
  readRerankerManifest,
} from '../../../infra/embedder/manifest.ts';
import { superviseEmbedder } from '../../../infra/embedder/supervise.ts';
import { cohereReranker } from '../../../lib/adapters/cohere/reranker.ts';
import { openaiEmbedder } from '../../../lib/adapters/openai/embedder.ts';
import { readConfig } from '../../../lib/config.ts';
import type { Embedder } from '../../../lib/ports/embedder.ts';
import type { Reranker } from '../../../lib/ports/reranker.ts';
import { inBatches, serviceEmbedder } from '../service-embedder.ts';

export interface SearchServices {
  embedder?: Embedder | undefined;
  reranker?: Reranker | undefined;
  /** Ends the local models. */
  stop?: () => void;
}

interface Options {
  /** URLs up to the version. The environment has their keys and models (`EMBEDDING_*`, `RERANK_*`). */
  embedder?: string | undefined;
  reranker?: string | undefined;
  /** Those installed in DATA_DIR instead. */
  local: boolean;
}

/** Opens what is measured next to keyword search. */
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

async function startLocal(): Promise<SearchServices> {
  const folder = embedderFolder(readConfig().dataDir);
  const [embedder, reranker] = [await readEmbedderManifest(folder), await readRerankerManifest(folder)];
  const [embeds, reranks] = [embedder !== undefined, reranker !== undefined];
  if (!embeds && !reranks) throw new Error('Nothing is installed. Run npm run embedder -- install.');
  const program = new URL('../../../infra/embedder/program.ts', import.meta.url).href;
  const { url: baseUrl, key: apiKey, stop } = await superviseEmbedder({ program, folder, embeds, reranks });
  const settings = { apiKey, baseUrl };
  return {
    embedder:
      embedder &&
      inBatches(
        openaiEmbedder({ who: 'the embedder', model: embedder.model, settings, tellsQuestions: true }),
      ),
    reranker: reranker && cohereReranker({ ...settings, model: reranker.model, takesTime: true }),
    stop,
  };
}

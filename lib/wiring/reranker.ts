import { cohereReranker } from '../adapters/cohere/reranker.ts';
import type { Config } from '../config.ts';
import type { Reranker } from '../ports/reranker.ts';
import { tracedReranker } from './traced.ts';

const DEFAULT_MODEL = 'rerank-v3.5';

/** Opens the reranker at RERANK_BASE_URL, otherwise the one on this host. Undefined if there is none. */
export function openReranker({ rerank, localReranker }: Config): Reranker | undefined {
  const { apiKey, baseUrl, model = DEFAULT_MODEL } = rerank;
  if (baseUrl !== undefined) return tracedReranker(cohereReranker({ apiKey, baseUrl, model }));
  return localReranker && tracedReranker(cohereReranker({ ...localReranker, takesTime: true }));
}

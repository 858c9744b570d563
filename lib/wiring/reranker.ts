import { cohereReranker } from '../adapters/cohere/reranker.ts';
import type { Config } from '../config.ts';
import type { Reranker } from '../ports/reranker.ts';
import { tracedReranker } from './traced.ts';

const DEFAULT_MODEL = 'rerank-v3.5';

/** Opens the reranker; undefined without RERANK_BASE_URL. */
export function openReranker({
  rerank: { apiKey, baseUrl, model = DEFAULT_MODEL },
}: Config): Reranker | undefined {
  return baseUrl === undefined ? undefined : tracedReranker(cohereReranker({ apiKey, baseUrl, model }));
}

import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { postJson } from '../outbound/post-json.ts';

const WHO = 'The reranker';

export interface RerankerSettings {
  apiKey?: string | undefined;
  /** The URL, including the version, such as `https://api.cohere.com/v2`. */
  baseUrl: string;
  model: string;
  /** True if the server accepts `max_ms`, like the local reranker. */
  takesTime?: boolean;
}

const answerSchema = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
});

/** A reranker behind Cohere's `/rerank` (API version 2), which Jina, vLLM, LiteLLM, and others also implement. */
export function cohereReranker({ apiKey, baseUrl, model, takesTime = false }: RerankerSettings): Reranker {
  const endpoint = { apiKey, who: WHO, url: `${baseUrl.replace(/\/$/, '')}/rerank` };
  return {
    model,
    async rerank(query, documents, { signal, withinMs }) {
      const time = takesTime ? { max_ms: withinMs } : {};
      const body = { model, query, documents, top_n: documents.length, ...time };
      return readScores(documents.length, await postJson(endpoint, body, signal));
    },
  };
}

/** A document without a result has no score. */
function readScores(count: number, body: unknown): (number | undefined)[] {
  const answer = answerSchema.safeParse(body).data;
  if (answer === undefined)
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${WHO} returned an answer that can't be read. Check RERANK_BASE_URL and RERANK_MODEL.`,
    );
  const scores = new Array<number | undefined>(count).fill(undefined);
  for (const { index, relevance_score } of answer.results) {
    if (index < count) scores[index] = Math.min(1, Math.max(0, relevance_score));
  }
  return scores;
}

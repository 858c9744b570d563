import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { parseJson, responseBytes } from '../outbound/response-bytes.ts';

const WHO = 'The reranker';
const MAX_ANSWER_BYTES = 1_000_000;

export interface RerankerSettings {
  apiKey?: string | undefined;
  /** Up to the version: `https://api.cohere.com/v2`. */
  baseUrl: string;
  model: string;
  /** It takes `max_ms`, as the local one does. */
  takesTime?: boolean;
}

const answerSchema = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
});

/** Cohere's `/rerank`, version 2 of the API, which Jina, vLLM, LiteLLM and others speak too. */
export function cohereReranker({ apiKey, baseUrl, model, takesTime = false }: RerankerSettings): Reranker {
  const url = `${baseUrl.replace(/\/$/, '')}/rerank`;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return {
    model,
    async rerank(query, documents, { signal, withinMs }) {
      const time = takesTime ? { max_ms: withinMs } : {};
      const body = JSON.stringify({ model, query, documents, top_n: documents.length, ...time });
      return readScores(documents.length, await ask(url, { method: 'POST', headers, body, signal }));
    },
  };
}

async function ask(url: string, request: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, { ...request, redirect: 'error' });
    if (response.ok) return parseJson(await responseBytes(response, MAX_ANSWER_BYTES));
    await response.body?.cancel();
    throw Object.assign(new Error('refused'), { status: response.status });
  } catch (error) {
    request.signal?.throwIfAborted();
    throw providerFailure(WHO, error);
  }
}

/** A document that is missing from the results wasn't scored. */
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

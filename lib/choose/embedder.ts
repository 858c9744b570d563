import { openaiEmbedder } from '../adapters/openai/embedder.ts';
import { GEMINI_BASE_URL } from '../adapters/openai/gemini.ts';
import { type Config, isConfigured } from '../config.ts';
import type { Embedder } from '../ports/embedder.ts';

const MODEL_A = 'text-embedding-3-small';
const MODEL_C = 'gemini-embedding-001';

/**
 * The embedding service: EMBEDDING_* if set, else provider A, else provider C (B has none). Undefined when there is
 * none: search is then by words alone.
 */
export function openEmbedder({ embedding, providers }: Config): Embedder | undefined {
  const { a, c } = providers;
  if (isConfigured(embedding)) {
    return openaiEmbedder('the embedding service', embedding, embedding.model ?? MODEL_A);
  }
  if (isConfigured(a)) return openaiEmbedder('provider a', a, embedding.model ?? MODEL_A);
  if (!isConfigured(c)) return undefined;
  const settings = { ...c, baseUrl: c.baseUrl ?? GEMINI_BASE_URL };
  return openaiEmbedder('provider c', settings, embedding.model ?? MODEL_C);
}

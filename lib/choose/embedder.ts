import { openaiEmbedder } from '../adapters/openai/embedder.ts';
import { GEMINI_BASE_URL } from '../adapters/openai/gemini.ts';
import { type Config, isConfigured } from '../config.ts';
import type { Embedder } from '../ports/embedder.ts';

const OPENAI_MODEL = 'text-embedding-3-small';
const GEMINI_MODEL = 'gemini-embedding-001';

/**
 * The embedding service: EMBEDDING_* if set, else OpenAI, else Gemini (Anthropic has none). Undefined when there is
 * none: search is then by words alone.
 */
export function openEmbedder({ embedding, providers }: Config): Embedder | undefined {
  const { openai, gemini } = providers;
  if (isConfigured(embedding)) {
    return openaiEmbedder('the embedding service', embedding, embedding.model ?? OPENAI_MODEL);
  }
  if (isConfigured(openai)) return openaiEmbedder('provider a', openai, embedding.model ?? OPENAI_MODEL);
  if (!isConfigured(gemini)) return undefined;
  const settings = { ...gemini, baseUrl: gemini.baseUrl ?? GEMINI_BASE_URL };
  return openaiEmbedder('provider c', settings, embedding.model ?? GEMINI_MODEL);
}

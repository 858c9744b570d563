import { openaiEmbedder } from '../../lib/adapters/openai/embedder.ts';
import type { Embedder, EmbedOptions } from '../../lib/ports/embedder.ts';

/** Number of texts per call, because a model on a CPU takes a minute for a hundred texts. */
const BATCH = 16;

/** The embedding service at a URL, with `EMBEDDING_API_KEY` and `EMBEDDING_MODEL` of the environment. */
export function serviceEmbedder(baseUrl: string): Embedder {
  const { EMBEDDING_API_KEY: apiKey = 'none', EMBEDDING_MODEL: model = 'default' } = process.env;
  return inBatches(openaiEmbedder({ who: 'the service', model, settings: { apiKey, baseUrl } }));
}

export function inBatches(service: Embedder): Embedder {
  const embed = async (texts: string[], options?: EmbedOptions) => {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      vectors.push(...(await service.embed(texts.slice(start, start + BATCH), options)));
    }
    return vectors;
  };
  return { ...service, embed };
}

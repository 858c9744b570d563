import { UpstreamFailed } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';

/** The APIs take up to 300,000 tokens a call: a hundred passages are about 50,000. */
const BATCH_SIZE = 100;
const MAX_RETRIES = 4;
const TIMEOUT_MS = 60_000;

/** Vectors from an OpenAI-compatible service. `who` names it in errors. */
export function openaiEmbedder(who: string, settings: OpenaiSettings, model: string): Embedder {
  return {
    model,
    batchSize: BATCH_SIZE,
    async embed(texts, { signal } = {}) {
      if (texts.length === 0) return [];
      return readVectors(who, texts.length, await request(who, settings, model, texts, signal));
    },
  };
}

/** Base64 is a third of the size, but only OpenAI is known to speak it. The SDK decodes it. */
async function request(
  who: string,
  settings: OpenaiSettings,
  model: string,
  texts: string[],
  signal: AbortSignal | undefined,
) {
  const client = await openaiClient(settings);
  const format = settings.baseUrl === undefined ? {} : { encoding_format: 'float' as const };
  try {
    const options = { signal, maxRetries: MAX_RETRIES, timeout: TIMEOUT_MS };
    return await client.embeddings.create({ model, input: texts, ...format }, options);
  } catch (error) {
    signal?.throwIfAborted();
    throw providerFailure(who, error);
  }
}

interface EmbeddingAnswer {
  data?: { index?: number; embedding?: number[] }[];
}

/** In the order of the texts, whatever the order of the answer. */
function readVectors(who: string, count: number, { data }: EmbeddingAnswer): Float32Array[] {
  if (!Array.isArray(data) || data.length !== count) {
    throw new UpstreamFailed(`${who} did not answer one vector for each text`);
  }
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  data.forEach(({ index, embedding }, place) => {
    vectors[index ?? place] = unitVector(who, embedding);
  });
  const dimensions = vectors[0]?.length;
  return vectors.map((vector) => {
    if (vector !== undefined && vector.length === dimensions) return vector;
    throw new UpstreamFailed(`${who} did not answer one vector for each text`);
  });
}

function unitVector(who: string, values: number[] | undefined): Float32Array {
  const vector = Float32Array.from(values ?? []);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0)
    throw new UpstreamFailed(`${who} answered a vector without a length`);
  return vector.map((value) => value / length);
}

import { UpstreamFailed } from '../../errors.ts';
import type { Embedder, EmbedOptions } from '../../ports/embedder.ts';
import { providerFailure } from '../outbound/provider-failure.ts';
import { type OpenaiSettings, openaiClient } from './client.ts';

/** Texts per call. The APIs accept up to 300,000 tokens per call; a hundred passages have about 50,000. */
const BATCH_SIZE = 100;
const MAX_RETRIES = 4;
/** Maximum retries for the embedding of a question, because a person is waiting. */
const QUESTION_RETRIES = 1;
/**
 * Milliseconds for a call with all its retries. A late answer isn't requested again, because a slow service
 * would then work on two requests and finish neither.
 */
const TIMEOUT_MS = 120_000;

interface Service {
  /** The service's name in error messages. */
  who: string;
  settings: OpenaiSettings;
  model: string;
  /**
   * True for a service that accepts `input_type`, as NVIDIA's does. Its model embeds questions differently
   * from passages.
   */
  tellsQuestions?: boolean;
}

/** Vectors from an OpenAI-compatible service. */
export function openaiEmbedder(service: Service): Embedder {
  const { who, model } = service;
  return {
    model,
    batchSize: BATCH_SIZE,
    async embed(texts, options = {}) {
      if (texts.length === 0) return [];
      const answer: EmbeddingAnswer = await request(service, texts, options);
      const tokens = answer.usage?.prompt_tokens;
      if (typeof tokens === 'number' && tokens > 0) options.onTokens?.(Math.ceil(tokens));
      return readVectors(who, texts.length, answer);
    },
  };
}

/**
 * Requests vectors. Base64 takes a third of the bytes, but only OpenAI is known to support it. The SDK
 * decodes it.
 */
async function request(service: Service, input: string[], { signal, question }: EmbedOptions) {
  const { who, settings, model, tellsQuestions } = service;
  const client = await openaiClient(settings);
  const format = settings.baseUrl === undefined ? {} : { encoding_format: 'float' as const };
  const kind = tellsQuestions ? { input_type: question ? 'query' : 'passage' } : {};
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const options = {
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    maxRetries: question ? QUESTION_RETRIES : MAX_RETRIES,
    timeout: 2 * TIMEOUT_MS, // otherwise, the SDK would retry after its own timeout
  };
  try {
    return await client.embeddings.create({ model, input, ...format, ...kind }, options);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted)
      throw new UpstreamFailed('model_timeout', `${who} did not answer in time. Try again later.`);
    throw providerFailure(who, error);
  }
}

interface EmbeddingAnswer {
  data?: { index?: number; embedding?: number[] }[];
  usage?: { prompt_tokens?: number };
}

/** Returns the vectors in the order of the texts, whatever the order of the response. */
function readVectors(who: string, count: number, { data }: EmbeddingAnswer): Float32Array[] {
  if (!Array.isArray(data) || data.length !== count) {
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${who} did not return one vector per text. Check the embedding model.`,
    );
  }
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  data.forEach(({ index, embedding }, place) => {
    vectors[index ?? place] = unitVector(who, embedding);
  });
  const dimensions = vectors[0]?.length;
  return vectors.map((vector) => {
    if (vector !== undefined && vector.length === dimensions) return vector;
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${who} did not return one vector per text. Check the embedding model.`,
    );
  });
}

function unitVector(who: string, values: number[] | undefined): Float32Array {
  const vector = Float32Array.from(values ?? []);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0)
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${who} returned a vector without a length. Check the embedding model.`,
    );
  return vector.map((value) => value / length);
}

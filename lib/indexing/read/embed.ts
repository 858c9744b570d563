import { ServiceError } from '../../errors.ts';
import { log } from '../../log.ts';
import type { Embedder } from '../../ports/embedder.ts';

/** Batches under way at once. */
const IN_FLIGHT = 4;
/** Well before the index worker's own time is over (serverless.yml), so that what was embedded is not lost. */
const PATIENCE_MS = 200_000;

/** How embedding goes while a message is worked on. After a failure nothing more is asked for. */
export interface Embedding {
  embedder: Embedder | undefined;
  /** Ends all of it: no call may outlive the function. */
  signal: AbortSignal;
  failed?: string;
}

export function startEmbedding(embedder: Embedder | undefined): Embedding {
  return { embedder, signal: AbortSignal.timeout(PATIENCE_MS) };
}

/**
 * A vector for each text: full batches, several in flight, equal texts once. Null from the first batch on that the
 * embedder gave up (`failed` says why), and everywhere without an embedder.
 */
export async function embedTexts(embedding: Embedding, texts: string[]): Promise<(Float32Array | null)[]> {
  const { embedder } = embedding;
  if (embedder === undefined) return texts.map(() => null);
  const unique = [...new Set(texts)];
  const found = new Map<string, Float32Array>();
  let next = 0;
  const loop = async () => {
    while (next < unique.length && embedding.failed === undefined) {
      const batch = unique.slice(next, next + embedder.batchSize);
      next += batch.length;
      await embedBatch(embedder, batch, embedding, found);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
  return texts.map((text) => found.get(text) ?? null);
}

async function embedBatch(
  embedder: Embedder,
  batch: string[],
  embedding: Embedding,
  found: Map<string, Float32Array>,
): Promise<void> {
  try {
    const vectors = await embedder.embed(batch, { signal: embedding.signal });
    for (const [index, text] of batch.entries()) {
      const vector = vectors[index];
      if (vector !== undefined) found.set(text, vector);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) && !embedding.signal.aborted) throw error;
    embedding.failed = embedding.signal.aborted ? 'it took too long' : (error as Error).message;
    log.warn('embedding failed', { texts: batch.length, reason: embedding.failed });
  }
}

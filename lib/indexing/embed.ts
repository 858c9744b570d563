import { log } from '../log.ts';
import type { Embedder } from '../ports/embedder.ts';

/** Batches under way at once. */
const IN_FLIGHT = 4;

/**
 * A vector for each text: full batches, several in flight, equal texts once. Null where the embedder gave up (that is
 * told by `failed`), and everywhere without an embedder.
 */
export async function embedTexts(
  embedder: Embedder | undefined,
  texts: string[],
): Promise<{ vectors: (Float32Array | null)[]; failed: string | undefined }> {
  if (embedder === undefined) return { vectors: texts.map(() => null), failed: undefined };
  const unique = [...new Set(texts)];
  const found = new Map<string, Float32Array>();
  let failed: string | undefined;
  let next = 0;
  const loop = async () => {
    while (next < unique.length) {
      const batch = unique.slice(next, next + embedder.batchSize);
      next += batch.length;
      failed = (await embedBatch(embedder, batch, found)) ?? failed;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
  return { vectors: texts.map((text) => found.get(text) ?? null), failed };
}

async function embedBatch(
  embedder: Embedder,
  batch: string[],
  found: Map<string, Float32Array>,
): Promise<string | undefined> {
  try {
    const vectors = await embedder.embed(batch);
    for (const [index, text] of batch.entries()) found.set(text, vectors[index] as Float32Array);
    return undefined;
  } catch (error) {
    log.warn('embedding failed', { texts: batch.length, reason: (error as Error).message });
    return (error as Error).message;
  }
}

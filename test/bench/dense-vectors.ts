import { seededRandom } from '../eval/citations/seeded-random.ts';
import { hashWord } from '../support/fakes/fake-openai.ts';

/** The dimensions of the default embedding model. */
export const DIMENSIONS = 1536;
/**
 * Each word adds to this many directions, so the vector of a text with a few hundred words has almost no
 * zeros.
 */
const PLACES_A_WORD = 24;

/**
 * A unit vector for a text, dense like those of real models (their JSON is 30 KB), and similar for texts with
 * common words.
 */
export function denseVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const random = seededRandom(hashWord(word));
    for (let place = 0; place < PLACES_A_WORD; place++) {
      const at = Math.floor(random() * DIMENSIONS);
      vector[at] = (vector[at] ?? 0) + random() - 0.5;
    }
  }
  return unit(vector);
}

/** Vectors in 200 loose clusters, like real embeddings; reproducible. */
export function clusteredVector(index: number): Float32Array {
  const random = seededRandom(index + 1);
  const centre = seededRandom((index % 200) + 1_000_003);
  return unit(Float32Array.from({ length: DIMENSIONS }, () => centre() - 0.5 + 0.6 * (random() - 0.5)));
}

function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum) || 1;
  return vector.map((value) => value / length);
}

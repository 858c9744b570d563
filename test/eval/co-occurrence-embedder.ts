import type { Embedder } from '../../lib/ports/embedder.ts';

const DIMENSIONS = 256;
const WORD = /[\p{Script=Han}]|[\p{L}\p{N}]+/gu;

/**
 * Replaces an embedding model, because none may be downloaded: random indexing (one step of latent semantic
 * analysis), trained on the texts themselves. Words of the same passages get similar vectors. It is weaker
 * than any real model, so the gain of hybrid search here is a lower bound, not a promise.
 */
export function coOccurrenceEmbedder(texts: string[]): Embedder {
  const weights = inverseFrequencies(texts);
  const words = new Map<string, Float32Array>();
  texts.forEach((text, index) => {
    const place = randomVector(index);
    for (const [feature, count] of countFeatures(text)) {
      const vector = words.get(feature) ?? new Float32Array(DIMENSIONS);
      words.set(feature, add(vector, place, Math.log1p(count) * (weights.get(feature) ?? 0)));
    }
  });
  for (const [feature, vector] of words) words.set(feature, toUnit(vector));
  return {
    model: 'co-occurrence',
    batchSize: 1000,
    embed: async (asked) => asked.map((text) => embed(text, words, weights)),
  };
}

function embed(text: string, words: Map<string, Float32Array>, weights: Map<string, number>): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const [feature, count] of countFeatures(text)) {
    const vector = words.get(feature);
    if (vector !== undefined) add(sum, vector, Math.log1p(count) * (weights.get(feature) ?? 0) ** 2);
  }
  sum[0] = (sum[0] ?? 0) + 1e-6;
  return toUnit(sum);
}

/** Words without their suffixes, and pairs of Chinese characters. */
function countFeatures(text: string): Map<string, number> {
  const found = text.toLowerCase().match(WORD) ?? [];
  const counts = new Map<string, number>();
  found.forEach((word, index) => {
    const isHan = /\p{Script=Han}/u.test(word);
    const feature = isHan ? word + (found[index + 1] ?? '') : word.slice(0, 6);
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
  });
  return counts;
}

function inverseFrequencies(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const feature of countFeatures(text).keys()) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  return new Map([...counts].map(([feature, count]) => [feature, Math.log(texts.length / count)]));
}

function add(sum: Float32Array, vector: Float32Array, factor: number): Float32Array {
  for (let index = 0; index < DIMENSIONS; index++) {
    sum[index] = (sum[index] ?? 0) + factor * (vector[index] ?? 0);
  }
  return sum;
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** Returns the same vector for the same seed. */
function randomVector(seed: number): Float32Array {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296 - 0.5;
  });
}

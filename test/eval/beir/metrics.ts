import type { Query } from './collection.ts';

export const METRICS = ['nDCG@10', 'recall@10', 'recall@50', 'recall@100', 'MRR@10'] as const;

type Metric = (typeof METRICS)[number];

/** Documents found for each query, best first, by the query's ID. */
export type Run = ReadonlyMap<string, string[]>;

/** One value per query, in the order of the queries. */
export type Values = Record<Metric, number[]>;

/**
 * Computed as in trec_eval, which BEIR uses: the gain is linear, and a document with the query's own ID
 * doesn't count.
 */
export function measureRun(queries: Query[], run: Run): Values {
  const found = queries.map(({ id }) => (run.get(id) ?? []).filter((document) => document !== id));
  const each = (of: (found: string[], query: Query) => number) =>
    queries.map((query, place) => of(found[place] ?? [], query));
  return {
    'nDCG@10': each(ndcg),
    'recall@10': each(recallAt(10)),
    'recall@50': each(recallAt(50)),
    'recall@100': each(recallAt(100)),
    'MRR@10': each(reciprocalOfFirst),
  };
}

function ndcg(found: string[], { judgments }: Query): number {
  const best = [...judgments.values()].sort((a, b) => b - a);
  return discounted(found.map((document) => judgments.get(document) ?? 0)) / discounted(best);
}

function discounted(gains: number[]): number {
  return gains.slice(0, 10).reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
}

function recallAt(limit: number) {
  return (found: string[], { judgments }: Query) =>
    found.slice(0, limit).filter((document) => judgments.has(document)).length / judgments.size;
}

function reciprocalOfFirst(found: string[], { judgments }: Query): number {
  const rank = found.slice(0, 10).findIndex((document) => judgments.has(document));
  return rank === -1 ? 0 : 1 / (rank + 1);
}

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/** In a test, each access to a global takes a microsecond. */
const { floor, imul } = Math;
const RESAMPLES = 10_000;
const SEED = 20_261_126;

/**
 * Returns the mean of a value per query with its 95% bootstrap interval over queries. For differences between
 * two runs of the same queries, this is the paired bootstrap: an interval without zero shows a difference.
 */
export function bootstrap(values: number[], resamples = RESAMPLES): Interval {
  const random = randomNumbers(SEED);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn++) sum += values[floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort((a, b) => a - b);
  const at = (share: number) => means[Math.min(resamples - 1, Math.floor(share * resamples))] ?? 0;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: at(0.025),
    high: at(0.975),
  };
}

/** Reproducible random numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

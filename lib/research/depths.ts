import { costOf } from '../prices/price-of.ts';
import type { ModelPrices } from '../prices/schema.ts';
import { type DepthName, depthSchema, type Estimate, type SourceName } from './request-schema.ts';

/** How far a report goes. */
export interface Depth {
  /** Sub-questions that the plan may have. */
  questions: number;
  /** Passages that are read for one of them. */
  passages: number;
  /** How many of these may come from one file. */
  passagesOfFile: number;
  /** Papers that are fetched for one of them. */
  papers: number;
  followReferences: boolean;
  /** Claims that one of them goes on with. */
  claims: number;
}

export const DEPTHS: Record<DepthName, Depth> = {
  quick: {
    ...{ questions: 3, passages: 6, passagesOfFile: 3 },
    ...{ papers: 2, followReferences: false, claims: 12 },
  },
  standard: {
    ...{ questions: 5, passages: 18, passagesOfFile: 4 },
    ...{ papers: 4, followReferences: false, claims: 24 },
  },
  deep: {
    ...{ questions: 8, passages: 48, passagesOfFile: 6 },
    ...{ papers: 8, followReferences: true, claims: 40 },
  },
};

/** Passages that one call reads: small enough that what is in the middle is read, too. */
export const PASSAGES_A_CALL = 6;
/** Sentences that one call judges. */
export const SENTENCES_A_CALL = 10;

/** About what the calls of a kind take, in tokens. */
const TOKENS = {
  plan: { in: 500, out: 500 },
  read: { in: 3200, out: 900 },
  weigh: { in: 2500, out: 500 },
  write: { in: 2800, out: 1100 },
  judge: { in: 1600, out: 400 },
};

/**
 * What a report of a depth takes at the most: each question is read in batches, weighed, written and judged twice, with one
 * rewriting; then the summary.
 */
export function estimate(
  { depth, sources }: { depth: DepthName; sources: SourceName[] },
  model: string,
  prices: ModelPrices,
): Estimate {
  const { questions, passages, papers } = DEPTHS[depth];
  const batches = Math.ceil(passages / PASSAGES_A_CALL) + (sources.includes('papers') ? papers : 0);
  const calls = callsOf({ questions, batches });
  const kinds = Object.entries(calls) as [keyof typeof TOKENS, number][];
  const inputTokens = kinds.reduce((sum, [kind, count]) => sum + count * TOKENS[kind].in, 0);
  const outputTokens = kinds.reduce((sum, [kind, count]) => sum + count * TOKENS[kind].out, 0);
  const costUsd = costOf(model, { inputTokens, outputTokens, embeddedTokens: 0 }, prices);
  return { calls: kinds.reduce((sum, [, count]) => sum + count, 0), inputTokens, outputTokens, costUsd };
}

/** What each depth reads, and takes at the most. */
export function describeDepths(sources: SourceName[], model: string, prices: ModelPrices) {
  return depthSchema.options.map((depth) => {
    const { questions, passages } = DEPTHS[depth];
    return { depth, questions, passages, estimate: estimate({ depth, sources }, model, prices) };
  });
}

function callsOf({ questions, batches }: { questions: number; batches: number }) {
  const written = questions + 1;
  return {
    plan: 1,
    read: questions * batches,
    weigh: questions,
    write: 2 * written,
    judge: 3 * written,
  };
}

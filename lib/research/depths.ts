import { costOf } from '../prices/price-of.ts';
import type { ModelPrices } from '../prices/schema.ts';
import { type DepthName, depthSchema, type Estimate, type SourceName } from './request-schema.ts';

/** The thoroughness of a report. */
export interface Depth {
  /** The maximum number of sub-questions in the plan. */
  questions: number;
  /** The number of passages to read per sub-question. */
  passages: number;
  /** The maximum number of these passages from one file. */
  passagesOfFile: number;
  /** The number of papers to download per sub-question. */
  papers: number;
  followReferences: boolean;
  /** The number of pages from a web search per sub-question. */
  webPages: number;
  /** The number of claims to keep per sub-question. */
  claims: number;
}

export const DEPTHS: Record<DepthName, Depth> = {
  quick: {
    ...{ questions: 3, passages: 6, passagesOfFile: 3 },
    ...{ papers: 2, followReferences: false, webPages: 2, claims: 12 },
  },
  standard: {
    ...{ questions: 5, passages: 18, passagesOfFile: 4 },
    ...{ papers: 4, followReferences: false, webPages: 3, claims: 24 },
  },
  deep: {
    ...{ questions: 8, passages: 48, passagesOfFile: 6 },
    ...{ papers: 8, followReferences: true, webPages: 4, claims: 40 },
  },
};

/** The number of passages per call: few enough that the model also pays attention to those in the middle. */
export const PASSAGES_A_CALL = 6;
/** The number of sentences that one call judges. */
export const SENTENCES_A_CALL = 10;

/** The approximate number of tokens in each kind of call. */
const TOKENS = {
  plan: { in: 500, out: 500 },
  read: { in: 3200, out: 900 },
  weigh: { in: 2500, out: 600 },
  write: { in: 2800, out: 1100 },
  judge: { in: 1600, out: 400 },
};

/**
 * Estimates the maximum usage of a report with this depth. Each question is read in batches, weighed,
 * written, and judged twice, with one rewrite; the summary follows.
 */
export function estimate(
  { depth, sources }: { depth: DepthName; sources: SourceName[] },
  model: string,
  prices: ModelPrices,
): Estimate {
  const { questions, passages, papers, webPages } = DEPTHS[depth];
  const found = (sources.includes('papers') ? papers : 0) + (sources.includes('web') ? webPages : 0);
  const batches = Math.ceil(passages / PASSAGES_A_CALL) + found;
  const calls = callsOf({ questions, batches });
  const kinds = Object.entries(calls) as [keyof typeof TOKENS, number][];
  const inputTokens = kinds.reduce((sum, [kind, count]) => sum + count * TOKENS[kind].in, 0);
  const outputTokens = kinds.reduce((sum, [kind, count]) => sum + count * TOKENS[kind].out, 0);
  const costUsd = costOf(model, { inputTokens, outputTokens, embeddedTokens: 0 }, prices);
  return { calls: kinds.reduce((sum, [, count]) => sum + count, 0), inputTokens, outputTokens, costUsd };
}

/** Returns the numbers of questions and passages of each depth, and its estimated maximum usage. */
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
    weigh: 2 * questions,
    write: 2 * written,
    judge: 3 * written,
  };
}

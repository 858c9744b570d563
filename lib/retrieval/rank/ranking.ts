import type { ScoredPassage } from '../../ports/vectors.ts';

/** The result of one search method. */
export interface Ranking {
  /**
   * The nearness of the best passage to the question: 0 is a miss, 1 covers the whole question. Comparable
   * between questions.
   */
  nearness: number;
  /**
   * The best passage first. A score is the nearness times the value of the passage relative to the best, from
   * 0 to 1.
   */
  passages: ScoredPassage[];
  /**
   * What each passage, by rank, adds to the order of a combined ranking, from 0 to 1. If absent, it's the
   * score.
   */
  shares?: number[];
}

/** The minimum number of passages that show how a search scores unrelated texts. */
export const ENOUGH = 20;

/**
 * Returns where each score is between the best (1) and the last (0), because the range of scores depends on
 * the collection and the model. Among a few passages, the last one may be related, so `unrelated` is the
 * score that counts as 0.
 */
export function sharesOf(scores: number[], unrelated: number): number[] {
  const [best = 0, last = 0] = [scores[0], scores.at(-1)];
  const least = scores.length >= ENOUGH ? last : Math.min(last, unrelated);
  return scores.map((score) => (best > least ? (score - least) / (best - least) : 1));
}

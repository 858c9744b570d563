import type { ScoredPassage } from '../../ports/vectors.ts';

/** The result of one search method. */
export interface Ranking {
  /**
   * The nearness of the best passage to the question: 0 is a miss, 1 covers the whole question. Comparable between
   * questions.
   */
  nearness: number;
  /**
   * The best passage first. A score is the nearness times the value of the passage relative to the best, from 0 to 1.
   */
  passages: ScoredPassage[];
}

import type { ScoredPassage } from '../../ports/vectors.ts';

/** What one way of searching found. */
export interface Ranking {
  /** How near the best is to the question: 0 a miss, 1 all that is asked about. Comparable between questions. */
  nearness: number;
  /** Best first. A score is the nearness times what the passage is worth beside the best, from 0 to 1. */
  passages: ScoredPassage[];
}

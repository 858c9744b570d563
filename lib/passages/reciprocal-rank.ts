/**
 * Reduces the weight of the first ranks relative to the next ones; 60 is the value of the method's authors (reciprocal
 * rank fusion).
 */
const RANK_CONSTANT = 60;

/** Returns how much a rank (from 0) in one of several rankings adds to a score. */
export function reciprocalRank(rank: number, rankings: number): number {
  return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank + 1) / rankings;
}

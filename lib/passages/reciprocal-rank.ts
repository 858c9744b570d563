/**
 * Reduces the difference in weight between the first ranks. 60 is the value that the method's authors use
 * (reciprocal rank fusion).
 */
const RANK_CONSTANT = 60;

/** Returns how much a rank (from 0) in one of several rankings adds to a score. */
export function reciprocalRank(rank: number, rankings: number): number {
  return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank + 1) / rankings;
}

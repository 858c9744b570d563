/** How little the first places count more than the next; 60 is the value of the method's authors. */
const RANK_CONSTANT = 60;

/** What a place (from 0) in one of so many rankings adds to a score. */
export function reciprocalRank(rank: number, rankings: number): number {
  return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank + 1) / rankings;
}

import type { ScoredPassage } from '../ports/vectors.ts';

/** How little the first places count more than the next; 60 is the value of the method's authors. */
const RANK_CONSTANT = 60;

/**
 * Reciprocal rank fusion: one ranking of several whose scores cannot be compared. The new score is between 0 and 1: 1 for
 * a passage that is first everywhere.
 */
export function fuse(rankings: ScoredPassage[][]): ScoredPassage[] {
  const fused = new Map<string, ScoredPassage>();
  for (const ranking of rankings) {
    ranking.forEach((passage, rank) => {
      const key = `${passage.path}#${passage.chunk}`;
      const score = (fused.get(key)?.score ?? 0) + rankGain(rank, rankings.length);
      fused.set(key, { ...passage, score });
    });
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

/** What a place (from 0) in one of so many rankings adds to a score. */
export function rankGain(rank: number, rankings: number): number {
  return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank + 1) / rankings;
}

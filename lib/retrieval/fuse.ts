import type { ScoredPassage } from '../ports/vectors.ts';

/** How little the first places count more than the next; 60 is the value of the method's authors. */
const RANK_CONSTANT = 60;

/**
 * Reciprocal rank fusion: one ranking of several whose scores cannot be compared. The new score is between 0 and 1: 1 for
 * a passage that is first everywhere.
 */
export function fuse(rankings: ScoredPassage[][]): ScoredPassage[] {
  const fused = new Map<string, ScoredPassage>();
  const best = rankings.length / (RANK_CONSTANT + 1);
  for (const ranking of rankings) {
    ranking.forEach((passage, rank) => {
      const key = `${passage.path}#${passage.chunk}`;
      const gained = 1 / (RANK_CONSTANT + rank + 1) / best;
      fused.set(key, { ...passage, score: (fused.get(key)?.score ?? 0) + gained });
    });
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

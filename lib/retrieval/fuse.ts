import type { ScoredPassage } from '../ports/vectors.ts';
import { rankGain } from '../rank-gain.ts';

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

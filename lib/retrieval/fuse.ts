import type { ScoredPassage } from '../ports/vectors.ts';
import { rankGain } from '../rank-gain.ts';
import type { Ranking } from './ranking.ts';

/**
 * Reciprocal rank fusion: one ranking of several, by their places alone. It is as near to the question as the nearest of
 * them; a passage that only one of them holds has about half of its score.
 */
export function fuse(rankings: Ranking[]): Ranking {
  const [only, ...more] = rankings;
  if (only !== undefined && more.length === 0) return only;
  const nearness = Math.max(0, ...rankings.map((ranking) => ranking.nearness));
  const fused = new Map<string, ScoredPassage>();
  for (const { passages } of rankings) {
    passages.forEach((passage, rank) => {
      const key = `${passage.path}#${passage.chunk}`;
      const score = (fused.get(key)?.score ?? 0) + rankGain(rank, rankings.length);
      fused.set(key, { ...passage, score });
    });
  }
  const passages = [...fused.values()].sort((a, b) => b.score - a.score);
  const best = passages[0]?.score ?? 1;
  return { nearness, passages: passages.map((each) => ({ ...each, score: (nearness * each.score) / best })) };
}

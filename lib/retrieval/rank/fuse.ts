import { reciprocalRank } from '../../passages/reciprocal-rank.ts';
import type { ScoredPassage } from '../../ports/vectors.ts';
import type { Ranking } from './ranking.ts';

interface Fused {
  passage: ScoredPassage;
  /** The sum over its ranks: the order. */
  gain: number;
  /** The best score that a ranking gave it. */
  own: number;
}

/** Merges several rankings by reciprocal rank fusion: the order depends on ranks only, the nearness is that of the nearest. */
export function fuse(rankings: Ranking[]): Ranking {
  const [only, ...more] = rankings;
  if (only !== undefined && more.length === 0) return only;
  const fused = new Map<string, Fused>();
  for (const { passages } of rankings) {
    passages.forEach((passage, rank) => {
      const key = `${passage.path}#${passage.chunk}`;
      const { gain, own } = fused.get(key) ?? { gain: 0, own: 0 };
      const sum = gain + reciprocalRank(rank, rankings.length);
      fused.set(key, { passage, gain: sum, own: Math.max(own, passage.score) });
    });
  }
  const nearness = Math.max(0, ...rankings.map((ranking) => ranking.nearness));
  const ordered = [...fused.values()].sort((a, b) => b.gain - a.gain);
  return { nearness, passages: withScores(nearness, ordered) };
}

/**
 * Scores a rank, but no higher than a ranking scored this passage or one after it: a search that found nothing near has first
 * ranks too.
 */
function withScores(nearness: number, ordered: Fused[]): ScoredPassage[] {
  const best = ordered[0]?.gain ?? 1;
  let most = 0;
  const scored = ordered.toReversed().map(({ passage, gain, own }) => {
    most = Math.max(most, own);
    return { ...passage, score: Math.min(most, (nearness * gain) / best) };
  });
  return scored.reverse();
}

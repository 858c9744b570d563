import { reciprocalRank } from '../../passages/reciprocal-rank.ts';
import type { ScoredPassage } from '../../ports/vectors.ts';
import type { Ranking } from './ranking.ts';

/** The weight of the keyword search. docs/architecture/benchmarks.md has the results of other weights. */
const KEYWORDS = 0.6;

/**
 * The number of ranks that count. Otherwise, a passage far down in two rankings would overtake the best one
 * of a single ranking.
 */
const RANKED = 50;

interface Fused {
  passage: ScoredPassage;
  /** The sum over the passage's rankings, which determines the order. */
  gain: number;
  /** The best score that a ranking gave the passage. */
  own: number;
}

/**
 * Merges rankings of different questions by reciprocal rank fusion. The order depends only on ranks, because
 * scores of different questions can't be compared. The nearness is the highest of all rankings.
 */
export function fuse(rankings: Ranking[]): Ranking {
  const [only, ...more] = rankings;
  if (only !== undefined && more.length === 0) return only;
  return merge(rankings, (_, rank) => (rank < RANKED ? reciprocalRank(rank, rankings.length) : 0));
}

/**
 * Merges the two rankings of one question by the passages' shares (relative score fusion), because ranks
 * would lose the margin by which a passage leads.
 */
export function combine(byWords: Ranking, byMeaning: Ranking): Ranking {
  return merge([byWords, byMeaning], ({ score }, rank, of) => {
    const weight = of === byWords ? KEYWORDS : 1 - KEYWORDS;
    return weight * (of.shares?.[rank] ?? score);
  });
}

/** Returns a key that identifies a passage within a search. */
export function passageKey({ workspaceId = '', path, chunk }: ScoredPassage): string {
  return `${workspaceId}/${path}#${chunk}`;
}

type Gain = (passage: ScoredPassage, rank: number, of: Ranking) => number;

function merge(rankings: Ranking[], gainOf: Gain): Ranking {
  const fused = new Map<string, Fused>();
  for (const ranking of rankings) {
    ranking.passages.forEach((passage, rank) => {
      const key = passageKey(passage);
      const { gain, own } = fused.get(key) ?? { gain: 0, own: 0 };
      const sum = gain + gainOf(passage, rank, ranking);
      fused.set(key, { passage, gain: sum, own: Math.max(own, passage.score) });
    });
  }
  const nearness = Math.max(0, ...rankings.map((ranking) => ranking.nearness));
  const ordered = [...fused.values()].sort((a, b) => b.gain - a.gain);
  return { nearness, passages: withScores(nearness, ordered) };
}

/**
 * Scores a rank, but no higher than any ranking scored this passage or a later one: even a search without
 * close matches has a first rank.
 */
function withScores(nearness: number, ordered: Fused[]): ScoredPassage[] {
  const best = ordered[0]?.gain || 1;
  let most = 0;
  const scored = ordered.toReversed().map(({ passage, gain, own }) => {
    most = Math.max(most, own);
    return { ...passage, score: Math.min(most, (nearness * gain) / best) };
  });
  return scored.reverse();
}

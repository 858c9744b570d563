import type { ScoredPassage } from '../../ports/vectors.ts';
import { ENOUGH, type Ranking, sharesOf } from './ranking.ts';

/**
 * The rank of the candidate that counts as unrelated, if there are that many. Later candidates differ more
 * between collections than between models.
 */
const UNRELATED_RANK = 50;
/** The similarity of unrelated texts for most models. */
const UNRELATED = 0.2;
/**
 * The maximum similarity that counts as unrelated, because texts that all repeat the question are more
 * similar.
 */
const MOST = 0.95;
/**
 * The distance from the unrelated passages, relative to the possible range, at which a passage is certainly
 * relevant.
 */
const CERTAIN = 0.6;

/**
 * Ranks passages by the cosine of their vectors. Models differ in the cosine of unrelated texts (0.1 to 0.8),
 * so nearness is the distance of the best candidate from the fiftieth, or the last.
 */
export function rankByMeaning(found: ScoredPassage[]): Ranking {
  const last = found[Math.min(found.length, UNRELATED_RANK) - 1];
  const unrelated = Math.max(UNRELATED, found.length >= ENOUGH ? Math.min(last?.score ?? 0, MOST) : 0);
  const worth = ({ score }: ScoredPassage) =>
    Math.min(1, Math.max(0, (score - unrelated) / (1 - unrelated) / CERTAIN));
  const nearness = found[0] === undefined ? 0 : worth(found[0]);
  const passages = found.map((passage) => ({ ...passage, score: worth(passage) }));
  const cosines = found.map(({ score }) => score);
  return { nearness, passages, shares: sharesOf(cosines, UNRELATED) };
}

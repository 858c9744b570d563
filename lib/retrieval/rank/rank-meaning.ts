import type { ScoredPassage } from '../../ports/vectors.ts';
import { ENOUGH, type Ranking, sharesOf } from './ranking.ts';

/**
 * The rank of the candidate that counts as unrelated, if there are enough. Later ones differ more between collections
 * than between models.
 */
const UNRELATED_RANK = 50;
/** The similarity of unrelated texts for most models. */
const UNRELATED = 0.2;
/** The maximum similarity of unrelated texts. Texts that all repeat the question are more similar. */
const MOST = 0.95;
/** The minimum distance of a certainly relevant passage from the unrelated ones, relative to the possible range. */
const CERTAIN = 0.6;

/**
 * Ranks passages by the cosine of their vectors. Models differ in the cosine of unrelated texts (0.1 to 0.8), so
 * nearness is how far the best is above the fiftieth candidate, or the last.
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

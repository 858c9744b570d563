import type { ScoredPassage } from '../../ports/vectors.ts';
import type { Ranking } from './ranking.ts';

/** Fewer passages don't show how similar unrelated texts are to the model. */
const ENOUGH = 20;
/**
 * The rank of the candidate that counts as unrelated, if there are enough: later ones differ more between collections
 * than between models.
 */
const UNRELATED_RANK = 50;
/** How similar unrelated texts are to most models. */
const UNRELATED = 0.2;
/** Texts that all repeat the question aren't unrelated. */
const MOST = 0.95;
/** A passage this far above the unrelated ones, relative to the possible range, is certainly relevant. */
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
  return { nearness, passages: found.map((passage) => ({ ...passage, score: worth(passage) })) };
}

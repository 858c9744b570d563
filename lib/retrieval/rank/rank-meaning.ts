import type { ScoredPassage } from '../../ports/vectors.ts';
import type { Ranking } from './ranking.ts';

/** Fewer passages tell nothing of what the model says of texts that have nothing to do with a question. */
const ENOUGH = 20;
/** What most models say of such texts. */
const UNRELATED = 0.2;
/** Texts that are all the question itself are not unrelated. */
const MOST = 0.95;
/** How far above the unrelated a passage lies, of all that is possible, that is certainly meant. */
const CERTAIN = 0.6;

/**
 * Passages by the cosine of their vectors. Models differ in what cosine they give to texts that have nothing in common
 * (0.1 to 0.8), so nearness is how far the best stands above the last of the candidates.
 */
export function rankByMeaning(found: ScoredPassage[]): Ranking {
  const last = found.at(-1);
  const unrelated = Math.max(UNRELATED, found.length >= ENOUGH ? Math.min(last?.score ?? 0, MOST) : 0);
  const worth = ({ score }: ScoredPassage) =>
    Math.min(1, Math.max(0, (score - unrelated) / (1 - unrelated) / CERTAIN));
  const nearness = found[0] === undefined ? 0 : worth(found[0]);
  return { nearness, passages: found.map((passage) => ({ ...passage, score: worth(passage) })) };
}

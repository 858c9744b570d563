import type { ScoredPassage } from '../../ports/vectors.ts';
import { fileNamer } from './names.ts';
import type { Ranking } from './ranking.ts';

/** The nearness of a file that the question names, whatever else the question says. */
const NAMED = 0.5;

/** Puts the files that a question names first. Otherwise, the order stays. */
export function putNamedFirst(question: string, ranking: Ranking): Ranking {
  const { passages } = ranking;
  const paths = new Set(passages.map(({ path }) => path));
  const named = new Set([...paths].filter(fileNamer(question)));
  if (named.size === 0) return ranking;
  const nearness = Math.max(ranking.nearness, NAMED);
  const raised = passages.map((passage): ScoredPassage => {
    return { ...passage, score: (passage.score + (named.has(passage.path) ? nearness : 0)) / 2 };
  });
  return { nearness, passages: raised.sort((a, b) => b.score - a.score) };
}

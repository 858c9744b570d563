import type { ScoredPassage } from '../../ports/vectors.ts';
import { holdsIdentifier, identifiersOf, namesFile } from './names.ts';
import type { Ranking } from './ranking.ts';

/** The groups that come first: a named file, then a rare identifier. */
const FILE = 2;
const IDENTIFIER = 1;
/** A file that the question names is near, whatever else the question says. */
const NAMED = 0.5;
/** An identifier in more passages doesn't distinguish them. */
const RARE = 10;

/** Puts the files that a question names first, then the passages with its identifiers; within each, the order stays. */
export function putNamedFirst(question: string, ranking: Ranking): Ranking {
  const { passages } = ranking;
  const rank = rankReader(question, passages);
  const highest = Math.max(0, ...passages.map(rank));
  if (highest === 0) return ranking;
  const nearness = Math.max(ranking.nearness, highest === FILE ? NAMED : 0);
  const raised = passages.map((passage) => {
    return { ...passage, score: (passage.score + nearness * rank(passage)) / (1 + highest) };
  });
  return { nearness, passages: raised.sort((a, b) => b.score - a.score) };
}

/** Returns FILE for the passages of a named file, IDENTIFIER for those with a rare identifier of the question, otherwise 0. */
function rankReader(question: string, passages: ScoredPassage[]): (passage: ScoredPassage) => number {
  const holders = identifiersOf(question).map((identifier) =>
    passages.filter(({ text, context }) => [text, context].some((each) => holdsIdentifier(each, identifier))),
  );
  const rare = new Set(holders.filter(({ length }) => length <= RARE).flat());
  const paths = new Set(passages.map(({ path }) => path));
  const named = new Set([...paths].filter((path) => namesFile(question, path)));
  return (passage) => {
    if (named.has(passage.path)) return FILE;
    return rare.has(passage) ? IDENTIFIER : 0;
  };
}

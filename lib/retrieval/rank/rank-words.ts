import type { ScoredPassage } from '../../ports/vectors.ts';
import { findTerm, type TermFinder } from './match-terms.ts';
import type { Ranking } from './ranking.ts';

/** What it adds when all terms stand in the headings, and when all neighbours in the question are near each other. */
const HEADING_GAIN = 0.5;
const PAIR_GAIN = 0.2;
/** What the other good passages of its file add to one, and how many of a file are looked at. */
const FILE_GAIN = 0.1;
const BEST_OF_FILE = 4;
/** A long question tells a story around what it asks: a passage that holds so many of its terms is near. */
const MAX_ASKED = 8;
/** Characters between the beginnings of two terms that stand together. */
const NEAR = 30;
/** The best passages looked at: the one that says most of the question tells how near it is. */
const NEAREST_OF = 3;

/**
 * Passages that full-text search found, by their score there (which knows how rare each term is), raised where headings
 * hold the terms or neighbours stand together.
 */
export function rankByWords(terms: string[], found: ScoredPassage[]): Ranking {
  if (found.length === 0 || terms.length === 0) return { nearness: 0, passages: [] };
  const finders = terms.map(findTerm);
  const ranked = withFiles(found.map((passage) => readTerms(passage, finders)));
  const best = ranked[0]?.key || 1;
  const nearness = Math.max(...ranked.slice(0, NEAREST_OF).map(({ coverage }) => coverage));
  return {
    nearness,
    passages: ranked.map(({ passage, key }) => ({ ...passage, score: (nearness * key) / best })),
  };
}

/** Best first. A file of which more was found is more likely the one that is meant. */
function withFiles(read: ReadPassage[]): ReadPassage[] {
  const files = new Map<string, number[]>();
  for (const { passage, key } of [...read].sort((a, b) => b.key - a.key)) {
    const best = files.get(passage.path) ?? [];
    if (best.length < BEST_OF_FILE) files.set(passage.path, [...best, key]);
  }
  const sums = new Map([...files].map(([path, keys]) => [path, keys.reduce((sum, key) => sum + key, 0)]));
  const raised = read.map((each) => {
    const others = Math.max(0, (sums.get(each.passage.path) ?? 0) - each.key);
    return { ...each, key: each.key + FILE_GAIN * others };
  });
  return raised.sort((a, b) => b.key - a.key);
}

interface ReadPassage {
  passage: ScoredPassage;
  /** How much of the terms it holds. */
  coverage: number;
  /** What it is worth. */
  key: number;
}

/** How much of the terms a passage holds, and what it is worth. */
function readTerms(passage: ScoredPassage, finders: TermFinder[]): ReadPassage {
  const { path, context, text, score } = passage;
  const heading = `${context}\n${path}\n${firstLine(text)}`;
  const inHeading = placesOf(heading, finders);
  const inText = placesOf(text, finders);
  const held = finders.filter((_, term) => (inHeading[term] ?? -1) >= 0 || (inText[term] ?? -1) >= 0).length;
  const pairs = inText.slice(1).filter((at, before) => at >= 0 && standsBy(inText[before] ?? -1, at)).length;
  const gain =
    (HEADING_GAIN * inHeading.filter((at) => at >= 0).length) / finders.length +
    (PAIR_GAIN * pairs) / Math.max(1, finders.length - 1);
  const coverage = Math.min(1, held / Math.min(finders.length, MAX_ASKED));
  return { passage, coverage, key: score * (1 + gain) };
}

function placesOf(text: string, finders: TermFinder[]): number[] {
  const lower = text.toLowerCase();
  return finders.map((find) => find(text, lower));
}

function standsBy(before: number, at: number): boolean {
  return before >= 0 && Math.abs(at - before) <= NEAR;
}

function firstLine(text: string): string {
  return text.slice(0, Math.min(200, (text.indexOf('\n') + 1 || 201) - 1));
}

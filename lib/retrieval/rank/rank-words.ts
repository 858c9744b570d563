import type { ScoredPassage } from '../../ports/vectors.ts';
import { findTerm, type TermFinder } from './match-terms.ts';
import type { Ranking } from './ranking.ts';

/** Bonus if all terms are in the headings, and if all adjacent terms of the question are close to each other. */
const HEADING_GAIN = 0.5;
const PAIR_GAIN = 0.2;
/** Bonus for the other good passages of the same file, and how many of a file are counted. */
const FILE_GAIN = 0.1;
const BEST_OF_FILE = 4;
/** A long question tells a story around what it asks: a passage with so many of its terms is near. */
const MAX_ASKED = 8;
/** Maximum distance, in characters, between the starts of two adjacent terms. */
const NEAR = 30;
/** How many of the best passages are checked: the one that covers most of the question determines the nearness. */
const NEAREST_OF = 3;

/**
 * Ranks the passages of a full-text search by their score there (which reflects how rare each term is), raised if headings
 * contain the terms or adjacent terms are close together.
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

/** Best first. A file with more matches is more likely the right one. */
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
  /** The share of the terms that it contains. */
  coverage: number;
  /** Its rank score. */
  key: number;
}

/** Returns the share of the terms in a passage, and its rank score. */
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

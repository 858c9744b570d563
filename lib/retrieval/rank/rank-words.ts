import type { ScoredPassage } from '../../ports/vectors.ts';
import { findTerm, type TermFinder, termText } from './match-terms.ts';
import { holdsIdentifier } from './names.ts';
import { LEAST_NEARNESS } from './near.ts';
import { type Ranking, sharesOf } from './ranking.ts';

/**
 * Bonuses for a passage whose headings contain all terms, and for one in which all adjacent terms of the
 * question are close to each other.
 */
const HEADING_GAIN = 0.5;
const PAIR_GAIN = 0.4;
/** Bonus for a passage that contains all rare identifiers of the question. They also count as terms. */
const IDENTIFIER_GAIN = 0.25;
/**
 * The maximum number of passages that contain a rare identifier. In more passages, it doesn't distinguish
 * them.
 */
const RARE = 10;
/** Maximum characters of a first line that can be a heading. A paragraph without line breaks isn't one. */
const MAX_HEADING = 200;
/** Bonus for other good passages of the same file, and the maximum number of them that counts. */
const FILE_GAIN = 0.1;
const BEST_OF_FILE = 4;
/**
 * The number of terms that make a passage near. A long question surrounds the actual question with a story.
 */
const MAX_ASKED = 8;
/** Maximum distance, in characters, between the starts of two adjacent terms. */
const NEAR = 30;
/**
 * The number of best passages to check. Among them, the one that covers most of the question determines the
 * nearness.
 */
const NEAREST_OF = 3;

/**
 * Ranks passages of a full-text search by their score there, which reflects how rare each term is. The score
 * increases if headings contain the terms, if adjacent terms are close together, or if the passage contains
 * rare identifiers.
 */
export function rankByWords(terms: string[], found: ScoredPassage[], identifiers: string[] = []): Ranking {
  if (found.length === 0 || terms.length === 0) return { nearness: 0, passages: [] };
  const finders = terms.map(findTerm);
  const shareOf = identifierReader(identifiers, found);
  const read = found.map((passage) => {
    const { coverage, gain } = readTerms(passage, finders);
    return { passage, coverage, key: passage.score * (1 + gain + IDENTIFIER_GAIN * shareOf(passage)) };
  });
  const ranked = withFiles(read);
  const best = ranked[0]?.key || 1;
  const nearness = Math.max(...ranked.slice(0, NEAREST_OF).map(({ coverage }) => coverage));
  // If the keywords found nothing near, they hardly change the order of a combined ranking.
  const weight = Math.min(1, nearness / LEAST_NEARNESS);
  const keys = ranked.map(({ key }) => key);
  return {
    nearness,
    shares: sharesOf(keys, 0).map((share) => share * weight),
    passages: ranked.map(({ passage, key }) => ({ ...passage, score: (nearness * key) / best })),
  };
}

/** Returns a passage's share of the rare identifiers. */
function identifierReader(identifiers: string[], found: ScoredPassage[]): (passage: ScoredPassage) => number {
  const rare = identifiers
    .map((identifier) => new Set(found.filter((passage) => holds(passage, identifier))))
    .filter(({ size }) => size > 0 && size <= RARE);
  return (passage) => rare.filter((holders) => holders.has(passage)).length / Math.max(1, rare.length);
}

function holds({ text, context }: ScoredPassage, identifier: string): boolean {
  return [text, context].some((each) => holdsIdentifier(each, identifier));
}

/** Returns the best passage first. A file with more matches is more likely the right one. */
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
  /** The share of the terms that the passage contains. */
  coverage: number;
  /** The rank score of the passage. */
  key: number;
}

/** Returns the share of the terms in a passage, and the bonus for their positions. */
function readTerms({ path, context, text }: ScoredPassage, finders: TermFinder[]) {
  const heading = `${context}\n${path}\n${firstLine(text)}`;
  const inHeading = placesOf(heading, finders);
  const inText = placesOf(text, finders);
  const held = finders.filter((_, term) => (inHeading[term] ?? -1) >= 0 || (inText[term] ?? -1) >= 0).length;
  const pairs = inText.slice(1).filter((at, before) => at >= 0 && standsBy(inText[before] ?? -1, at)).length;
  const gain =
    (HEADING_GAIN * inHeading.filter((at) => at >= 0).length) / finders.length +
    (PAIR_GAIN * pairs) / Math.max(1, finders.length - 1);
  const coverage = Math.min(1, held / Math.min(finders.length, MAX_ASKED));
  return { coverage, gain };
}

function placesOf(text: string, finders: TermFinder[]): number[] {
  const read = termText(text);
  return finders.map((find) => find(read));
}

function standsBy(before: number, at: number): boolean {
  return before >= 0 && Math.abs(at - before) <= NEAR;
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end > MAX_HEADING ? '' : text.slice(0, Math.max(0, end));
}

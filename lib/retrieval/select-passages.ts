import type { ScoredPassage } from '../ports/vectors.ts';
import { cutToTokens } from '../text/count-tokens.ts';
import { passageKey } from './rank/fuse.ts';
import { findTerm, termText } from './rank/match-terms.ts';
import { fileNamer } from './rank/names.ts';
import { termsOf } from './rank/terms.ts';

const MAX_PASSAGES = 12;
const MAX_CHARACTERS = 16_000;
/**
 * The value of the next passage of a file relative to the previous one, so that several files come before
 * many passages of one file.
 */
const NEXT_OF_FILE = 0.8;

/** The space for passages in a prompt. If absent, as many as are useful. */
interface PassageRoom {
  tokens: number;
  /** Returns the tokens of a passage as the prompt shows it. */
  weigh(passage: ScoredPassage): number;
}

/**
 * Selects the best passages that fit into a prompt. A text that occurs in several files is offered once. One
 * long file takes all places only if the question names it or nothing else is near. Adjacent passages are
 * merged.
 */
export function selectPassages(
  ranked: ScoredPassage[],
  question = '',
  room: PassageRoom = { tokens: 0, weigh: () => 0 },
): ScoredPassage[] {
  const selected: ScoredPassage[] = [];
  const texts = new Set<string>();
  let left = MAX_CHARACTERS;
  let tokens = room.tokens;
  for (const passage of spread(ranked, question)) {
    if (selected.length === MAX_PASSAGES) break;
    const { text } = passage;
    if (text.length > left || texts.has(text)) continue;
    const weight = room.weigh(passage);
    const fitting = weight <= tokens ? passage : cutPassage(passage, question, { ...room, tokens });
    if (fitting === undefined) continue;
    selected.push(fitting);
    texts.add(text);
    left -= text.length;
    tokens -= Math.min(weight, tokens);
  }
  return joinNeighbors(selected);
}

/** The minimum length of a partial passage in characters. A shorter one is useless. */
const LEAST_PART = 100;

/**
 * Returns the best passage, which is always included. If it's too long, returns only the range with most of
 * the question's words.
 */
function cutPassage(passage: ScoredPassage, question: string, room: PassageRoom): ScoredPassage | undefined {
  const { text } = passage;
  const around = room.weigh({ ...passage, text: '' });
  const tokens = room.tokens - around;
  const length = Math.floor((text.length * tokens) / Math.max(1, room.weigh(passage) - around));
  if (length < Math.min(LEAST_PART, text.length / 2)) return undefined;
  const finders = termsOf(question).map(findTerm);
  const starts = [
    0,
    ...[...text.matchAll(/\n|[.!?。！？] ?/g)].map(({ index, 0: end }) => index + end.length),
  ];
  const found = starts.map((start) => {
    const stretch = termText(text.slice(start, start + length));
    return { start, terms: finders.filter((find) => find(stretch) >= 0).length };
  });
  const best = found.reduce((one, other) => (other.terms > one.terms ? other : one));
  return { ...passage, text: cutToTokens(text.slice(best.start), tokens) };
}

/** Reorders the passages so that each further passage of a file counts less. */
function spread(ranked: ScoredPassage[], question: string): ScoredPassage[] {
  const counts = new Map<string, number>();
  const isNamed = fileNamer(question);
  const worth = ranked.map((passage) => {
    const file = `${passage.workspaceId ?? ''}/${passage.path}`;
    const count = counts.get(file) ?? 0;
    counts.set(file, count + 1);
    return {
      passage,
      worth: isNamed(passage.path) ? passage.score + 1 : passage.score * NEXT_OF_FILE ** count,
    };
  });
  return worth.sort((a, b) => b.worth - a.worth).map(({ passage }) => passage);
}

/** Puts each merged run in the position of its best passage. */
function joinNeighbors(selected: ScoredPassage[]): ScoredPassage[] {
  const places = new Map(selected.map((passage) => [passageKey(passage), passage]));
  const joined: ScoredPassage[] = [];
  for (const passage of selected) {
    if (!places.has(passageKey(passage))) continue;
    let first = passage;
    for (let before = neighbor(places, first, -1); before; before = neighbor(places, first, -1))
      first = before;
    let whole = take(places, first);
    for (let next = neighbor(places, first, 1); next; next = neighbor(places, first, 1)) {
      first = take(places, next);
      whole = join(whole, next);
    }
    joined.push({ ...whole, score: passage.score });
  }
  return joined;
}

function take(places: Map<string, ScoredPassage>, passage: ScoredPassage): ScoredPassage {
  places.delete(passageKey(passage));
  return passage;
}

/**
 * Returns the selected passage right before or after another one, from the same version and part of its file.
 */
function neighbor(
  places: Map<string, ScoredPassage>,
  passage: ScoredPassage,
  step: 1 | -1,
): ScoredPassage | undefined {
  const other = places.get(passageKey({ ...passage, chunk: passage.chunk + step }));
  if (other?.fileHash !== passage.fileHash) return undefined;
  return JSON.stringify(other.part) === JSON.stringify(passage.part) ? other : undefined;
}

/**
 * Joins adjacent passages. Only white space was lost between them. A quote is within a paragraph, so it never
 * crosses the boundary.
 */
function join(first: ScoredPassage, next: ScoredPassage): ScoredPassage {
  const { endLine, endChar } = next;
  return { ...first, text: `${first.text}\n\n${next.text}`, endLine, endChar };
}

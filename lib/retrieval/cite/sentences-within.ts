import type { TextRun } from '../../formats/format.ts';
import type { ReadText } from './nearest.ts';

export const MAX_QUOTE_LENGTH = 400;

const SENTENCE_OR_LINE = /[^\n]*?(?:[.!?;](?=\s)|[。！？；]|\n|$)/gu;
/** A period that doesn't end a sentence. */
const ABBREVIATED =
  /(?<![\p{L}\p{N}])(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|vs|Figs?|Eqs?|No|Nos|vol|pp?|al|e\.g|i\.e|cf|ca|approx|Inc|Ltd|Co|Corp|Gen|Col|Capt|Lt|Rev|Sen|Gov|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|z\.B|bzw|\p{Lu})\.$/u;
const LONGEST_ABBREVIATION = 8;

/**
 * Returns the sentences and lines of a run, without whitespace at their ends. Longer ones are split into pieces of at
 * most `longest` characters.
 */
export function sentencesWithin(text: string, run: TextRun, longest: number): TextRun[] {
  const sentences: TextRun[] = [];
  let from = run.start;
  for (const match of text.slice(run.start, run.end).matchAll(SENTENCE_OR_LINE)) {
    const end = run.start + match.index + match[0].length;
    if (end < run.end && isAbbreviated(text, from, end)) continue;
    for (const piece of splitLong(text, { start: from, end }, longest)) {
      const trimmed = trimRun(text, piece);
      if (trimmed.end > trimmed.start) sentences.push(trimmed);
    }
    from = end;
  }
  return sentences;
}

function isAbbreviated(text: string, from: number, end: number): boolean {
  if (text.charAt(end - 1) !== '.' || /[\n\r]/.test(text.charAt(end))) return false;
  return ABBREVIATED.test(text.slice(Math.max(from, end - LONGEST_ABBREVIATION), end));
}

/** Splits at the last space in reach; never inside a surrogate pair. */
function splitLong(text: string, { start, end }: TextRun, longest: number): TextRun[] {
  const pieces: TextRun[] = [];
  let from = start;
  while (end - from > longest) {
    const space = text.lastIndexOf(' ', from + longest);
    const cut = space > from ? space : from + longest;
    const to = /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut;
    pieces.push({ start: from, end: to });
    from = to;
  }
  return [...pieces, { start: from, end }];
}

function trimRun(text: string, { start, end }: TextRun): TextRun {
  const piece = text.slice(start, end);
  const left = piece.length - piece.trimStart().length;
  return { start: start + left, end: Math.max(start + left, start + piece.trimEnd().length) };
}

export const SENTENCE_END = /[.!?]["'”’)\]]*\s+|[。！？]["'”’」』）]*\s*|\n\s*\n/gu;

/** Extends a place to its sentence, or to its line if the sentence is too long, within the readable run. */
export function widenToSentence({ text, runs }: ReadText, place: TextRun): TextRun {
  const run = runs.find(({ start, end }) => start <= place.start && place.end <= end) ?? place;
  const before = text.slice(Math.max(run.start, place.start - MAX_QUOTE_LENGTH), place.start);
  const after = text.slice(place.end, Math.min(run.end, place.end + MAX_QUOTE_LENGTH));
  const ends = [...before.matchAll(SENTENCE_END)].at(-1);
  const [next] = [...(text.slice(place.end - 1, place.end) + after).matchAll(SENTENCE_END)];
  const sentence = trimRun(text, {
    start: place.start - before.length + (ends === undefined ? 0 : ends.index + ends[0].length),
    end: next === undefined ? place.end + after.length : place.end - 1 + next.index + next[0].length,
  });
  if (sentence.end - sentence.start <= MAX_QUOTE_LENGTH) return sentence;
  const line = trimRun(text, {
    start: place.start - before.length + before.lastIndexOf('\n') + 1,
    end: place.end + (after.includes('\n') ? after.indexOf('\n') : after.length),
  });
  return line.end - line.start <= MAX_QUOTE_LENGTH ? line : place;
}

/**
 * Returns the stretch from the first place to the last, if they are in one paragraph of a run and the stretch isn't too
 * long for a quote.
 */
export function joinPlaces({ text, runs }: ReadText, one: TextRun, other: TextRun): TextRun | undefined {
  const joined = { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
  const isInRun = runs.some(({ start, end }) => start <= joined.start && joined.end <= end);
  const isShort = joined.end - joined.start <= MAX_QUOTE_LENGTH;
  return isInRun && isShort && !/\n\s*\n/.test(text.slice(joined.start, joined.end)) ? joined : undefined;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { foldText } from '../../api-contract/fold-text.ts';
import type { TextRun } from '../../formats/format.ts';
import { cutsSomething } from './cut-ends.ts';
import { mayBeLeftOut } from './left-out.ts';
import { FoldedStretch, firstFound } from './locate.ts';
import { nearestPlace, runsWithin } from './nearest.ts';
import type { QuotableFile } from './sources.ts';

/** The maximum number of quotations to look up per sentence. */
const MAX_QUOTATIONS = 5;
/** Matches quotations, which may be nested. A single quotation mark before a letter is an apostrophe. */
const QUOTATIONS = [
  /“((?:[^“”]|“[^“”]{0,200}”)+)”/gu,
  /“([^“”]+)[”“]/gu,
  /„([^„“”]+)[“”]/gu,
  /(?<![\p{L}\p{N}])"(?=\S)([^"]+)(?<=\S)"(?![\p{L}\p{N}])/gu,
  /「([^「」]+)」/gu,
  /『([^『』]+)』/gu,
  /«\s?([^«»]+?)\s?»/gu,
  /»([^«»]+)«/gu,
  /‘((?:[^‘’\n]|’(?=\p{Script=Latin})){1,1000})’/gu,
  /(?<![\p{L}\p{N}])'(?=\S)((?:[^'\n]|'(?=\p{Script=Latin})){1,1000})(?<=\S)'(?![\p{L}\p{N}])/gu,
  /‚([^‚‘’\n]{1,1000})[‘’]/gu,
  /‹\s?([^‹›]{1,1000}?)\s?›/gu,
  /›([^‹›]{1,1000})‹/gu,
  /＂([^＂]{1,1000})＂/gu,
];
const WORD = /[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu;
const HAN = /\p{Script=Han}/gu;
/** Matches the end that a writer adds to a quotation, with the punctuation of the sentence around it. */
const ADDED_END = /(?<![\s.,;:!?。，；：！？])[\s.,;:!?。，；：！？]+$/u;
const ADDED_WORDS = /\[(?<added>[^\]]{0,100})\]/gu;
const MAX_ADDED = 3;
const TURNING = /\b(?:not|no|never|none|nor|without|cannot)\b|n['’]t\b|[不没未无非]/iu;
/** Verbs before a single quoted word. */
const CALLED =
  /(?:\b(?:call(?:s|ed|ing)?|sa(?:id|ys)|wrote|writes|term(?:s|ed)|dubbed|label(?:s|l?ed)|describe[sd]?)\b[^.!?“”"]{0,40}|(?:称[^。！？“”"]{0,8}为|称作|叫作|叫做))$/iu;
const REACH = 60;

/**
 * Returns the texts in quotation marks, without the marks: those with at least two words or four Han
 * characters, and single words that someone is said to have called something.
 */
export function quotationsIn(sentence: string): string[] {
  const all = markedIn(sentence);
  const texts = all.filter(({ text, index }) => {
    const isInner = all.some((other) => other.index <= index && index < other.end && isWords(other.text));
    return isWords(text) || (!isInner && isCalled(sentence, text, index));
  });
  return [...new Set(texts.map(({ text }) => text))].slice(0, MAX_QUOTATIONS);
}

/** Returns all texts of a sentence in quotation marks, including titles of one word, with their places. */
export function markedIn(sentence: string): { text: string; index: number; end: number }[] {
  return QUOTATIONS.flatMap((form) => [...sentence.matchAll(form)])
    .toSorted((a, b) => a.index - b.index)
    .map(({ 0: { length }, 1: text = '', index }) => {
      return { text: withoutAdded(text), index, end: index + length };
    });
}

/**
 * Removes a few words in brackets, because they explain the quotation. With a negation or a whole clause in
 * brackets, it would be another quotation.
 */
function withoutAdded(text: string): string {
  const bare = text.replace(ADDED_WORDS, (whole, added: string) => {
    const isShort = (added.match(WORD)?.length ?? 0) <= MAX_ADDED;
    return isShort && !TURNING.test(added) ? '…' : whole;
  });
  return bare.replace(ADDED_END, '').trim();
}

function isCalled(sentence: string, text: string, index: number): boolean {
  const isWord = text.length >= 4 ? /^[\p{L}\p{N}’'-]+$/u.test(text) : /^\p{Script=Han}{2,3}$/u.test(text);
  return isWord && CALLED.test(sentence.slice(Math.max(0, index - REACH), index));
}

function isWords(text: string): boolean {
  if ((text.match(HAN)?.length ?? 0) >= 4) return true;
  return (text.replace(HAN, ' ').match(WORD)?.length ?? 0) >= 2;
}

/**
 * `false` if the file doesn't contain the words; `true` if it does, but markup divides them, so that no quote
 * contains them.
 */
export type FoundWords = TextRun | boolean;

/**
 * The number of characters around the passage to fold as a whole. Other text is folded only where words of
 * the quotation follow each other.
 */
const AROUND = 40_000;
/**
 * The number of characters to fold around such words, in addition to three times the length of the quotation.
 */
const MARGIN = 700;
/**
 * The number of characters per stretch in which a large file is searched. Each stretch includes the start of the next.
 */
const STRETCH = 300_000;
const OVERLAP = 200;
/** The maximum number of places to try, because the same two words may be in many places. */
const MAX_PLACES = 200;

/**
 * Looks up quoted words in the visible text of a file: first exactly, then with white space and typographic
 * marks folded, then without markup and punctuation. The case of the first letter may differ. Of several
 * exact places, returns the one nearest to `near`.
 */
export async function findQuotedWords(
  source: QuotableFile,
  words: string,
  near: number,
): Promise<FoundWords> {
  const spellings = [words, withOtherCase(words)];
  const fits = (place: TextRun) => !cutsSomething(source.text, place);
  const exact = firstFound(spellings, (spelling) => nearestPlace(source, spelling, near, fits));
  if (exact !== undefined) return exact;
  const compact = compactText(words);
  for await (const stretch of likelyStretches(source, words, near)) {
    const folded = new FoldedStretch(source, stretch);
    const place = firstFound(
      spellings,
      (spelling) => folded.find(spelling, { near }) ?? folded.findPieces(spelling, mayBeLeftOut),
    );
    if (place !== undefined) return place;
    const shown = runsWithin(source.runs, stretch).map(({ start, end }) => source.text.slice(start, end));
    if (['', ' '].some((gap) => compactText(shown.join(gap)).includes(compact))) return true;
  }
  return false;
}

/** `Owls sleep` may be `owls sleep` in the middle of a sentence. */
function withOtherCase(words: string): string {
  const [first = ''] = words;
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return other + words.slice(first.length);
}

/**
 * Yields stretches that may contain the words, starting with the one around the passage. Lets other tasks run
 * in between.
 */
async function* likelyStretches({ text }: QuotableFile, words: string, near: number): AsyncIterable<TextRun> {
  const from = Math.max(0, Math.min(near, text.length) - AROUND / 2);
  yield { start: from, end: from + AROUND };
  if (text.length <= AROUND) return;
  const pattern = neighborsIn(words);
  const margin = 3 * words.length + MARGIN;
  let places = 0;
  for (let start = 0; start < text.length && pattern !== undefined; start += STRETCH) {
    await nextTurn();
    let covered = 0;
    for (const { index } of text.slice(start, start + STRETCH + OVERLAP).matchAll(pattern)) {
      if (start + index < covered) continue;
      if (places++ >= MAX_PLACES) return;
      covered = start + index + margin;
      yield { start: Math.max(0, start + index - margin), end: covered };
      await nextTurn();
    }
  }
}

/** Matches what may be between two words: punctuation, white space, tags, and entities. */
const BETWEEN = '(?:<[^<>]{0,100}>|&#?\\w{1,8};|[^\\p{L}\\p{N}]){1,12}';
const MAX_PAIRS = 3;

/**
 * Returns a pattern for the longest pairs of adjacent words, or of adjacent Han characters; undefined if there is no
 * pair.
 */
function neighborsIn(words: string): RegExp | undefined {
  const pairs = words.split(/…|\.{3}/).flatMap((piece) => {
    const found = piece.match(/\p{Script=Han}{2}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];
    return found.slice(1).map((word, at) => [found[at] ?? '', word]);
  });
  const longest = pairs.toSorted((a, b) => b.join('').length - a.join('').length).slice(0, MAX_PAIRS);
  const patterns = longest.map(([one, other]) => `${spaced(one)}(?:${BETWEEN})?${spaced(other)}`);
  return patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'giu');
}

/** Allows white space between Han characters. */
function spaced(word = ''): string {
  return /^\p{Script=Han}{2}$/u.test(word) ? [...word].join('\\s*') : word;
}

/** Returns the words and numbers, separated by spaces, because markup changes neither. */
function compactText(text: string): string {
  const words = foldText(text)
    .text.toLowerCase()
    .replace(/&(?:#\d+|[a-z]+);/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}.,]+|(?<!\d)[.,]|[.,](?!\d)/gu, ' ');
  return ` ${words} `.replace(/ +/g, ' ').replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '');
}

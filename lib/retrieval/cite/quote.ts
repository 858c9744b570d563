import { readFacts } from '../../claims/facts.ts';
import type { TextRun } from '../../formats/format.ts';

const MAX_QUOTE_LENGTH = 400;
const MAX_SENTENCES = 4;
const PARAGRAPH = /\n\s*\n/;
const SENTENCE_OR_LINE = /[^\n]*?(?:[.!?;](?=\s)|[。！？；]|\n|$)/gu;

/**
 * Below this similarity a text isn't a quote. Of 142 true paraphrases in the same script 11 are below, of 5,550 unrelated pairs
 * 96 %.
 */
const LEAST_LIKENESS = 0.08;

/**
 * Returns the sentence, or the few adjacent ones, that cover most of a claim: among the similar ones, one with all its facts if
 * there is one. Undefined if nothing is similar. Only within one run, and never with whitespace at its ends: `text.slice(start,
 * end)` occurs in the text unchanged.
 */
export function findQuote(text: string, runs: TextRun[], claim: string): TextRun | undefined {
  const wanted = differentWords(claim);
  const alike = runs
    .flatMap((run) => [...candidates(text, run, wanted)])
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_COMPARED);
  const { findMissing } = readFacts(claim);
  const hasAll = ({ start, end }: TextRun) => findMissing([text.slice(start, end)]).length === 0;
  const best = alike.find(hasAll) ?? alike[0];
  return best && { start: best.start, end: best.end };
}

/** Candidates whose facts are compared: each takes about a millisecond, and up to three where it was made to. */
const MAX_COMPARED = 12;

interface Candidate extends TextRun {
  score: number;
}

/** Yields every sentence of a run, alone and with those that follow it in its paragraph. */
function* candidates(text: string, run: TextRun, wanted: Set<string>): Iterable<Candidate> {
  const sentences = splitSentences(text, run).map(({ start, end }) => ({
    start,
    end,
    words: differentWords(text.slice(start, end)),
  }));
  for (const [first, { start }] of sentences.entries()) {
    const words = new Set<string>();
    for (const sentence of sentences.slice(first, first + MAX_SENTENCES)) {
      if (sentence.end - start > MAX_QUOTE_LENGTH || PARAGRAPH.test(text.slice(start, sentence.end))) break;
      for (const word of sentence.words) words.add(word);
      yield { start, end: sentence.end, score: likeness(words, wanted) };
    }
  }
}

function splitSentences(text: string, run: TextRun): TextRun[] {
  const sentences: TextRun[] = [];
  for (const match of text.slice(run.start, run.end).matchAll(SENTENCE_OR_LINE)) {
    const start = run.start + match.index;
    for (const piece of splitLong(text, { start, end: start + match[0].length })) {
      const trimmed = trim(text, piece);
      if (trimmed.end > trimmed.start) sentences.push(trimmed);
    }
  }
  return sentences;
}

/** Splits at the last space in reach; never inside a surrogate pair. */
function splitLong(text: string, { start, end }: TextRun): TextRun[] {
  const pieces: TextRun[] = [];
  let from = start;
  while (end - from > MAX_QUOTE_LENGTH) {
    const space = text.lastIndexOf(' ', from + MAX_QUOTE_LENGTH);
    const cut = space > from ? space : from + MAX_QUOTE_LENGTH;
    const to = /[\uD800-\uDBFF]/.test(text.charAt(cut - 1)) ? cut - 1 : cut;
    pieces.push({ start: from, end: to });
    from = to;
  }
  return [...pieces, { start: from, end }];
}

function trim(text: string, { start, end }: TextRun): TextRun {
  const piece = text.slice(start, end);
  const left = piece.length - piece.trimStart().length;
  return { start: start + left, end: Math.max(start + left, start + piece.trimEnd().length) };
}

/** Words, and Chinese and Japanese characters, that any two texts have in common. */
const COMMON = new Set([
  ...'a about all also an and any are as at be been but by can did do does for from had has have he her his how if in into is it its may more most no not of on one or other our out over she so some such than that the their them there these they this to too up was we were what when which who will with would you your'.split(
    ' ',
  ),
  ...'的了是在有和与及不也就都而或其该这那个一种为以于对从到中上下由被把将会能可并等年月日のはがをにでとも',
]);

function sharesMeaning(words: Set<string>, wanted: Set<string>): boolean {
  return [...words].some((word) => wanted.has(word) && !COMMON.has(word));
}

/** F-measure: more text counts only if it covers more of the claim. */
function likeness(words: Set<string>, wanted: Set<string>): number {
  if (words.size === 0 || !sharesMeaning(words, wanted)) return 0;
  let shared = 0;
  for (const word of words) if (wanted.has(word)) shared += 1;
  return (2 * shared) / (words.size + wanted.size);
}

/** Scripts without spaces between words count per character. */
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

/**
 * Returns the different words of a text, in lower case: all of them, because two texts are compared. rank/terms.ts has the
 * terms of a question.
 */
function differentWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORDS));
}

import type { TextRun } from '../indexing/text-runs.ts';
import { wordsOf } from './words.ts';

const MAX_QUOTE_LENGTH = 400;
const MAX_SENTENCES = 4;
const SENTENCE_OR_LINE = /[^\n]*?(?:[.!?;](?=\s)|[。！？；]|\n|$)/gu;

/**
 * The sentence, or the few neighbouring ones, of a text that say most of a claim. Undefined where there is no text. Only
 * within one run, and never with white space at its ends: `text.slice(start, end)` stands in the text as it is.
 */
export function findQuote(text: string, runs: TextRun[], claim: string): TextRun | undefined {
  const wanted = wordsOf(claim);
  let best: TextRun | undefined;
  let bestScore = -1;
  for (const run of runs) {
    for (const candidate of candidates(text, run)) {
      const score = likeness(wordsOf(text.slice(candidate.start, candidate.end)), wanted);
      if (score <= bestScore) continue;
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Every sentence of a run, and the sentences that begin with it. */
function* candidates(text: string, run: TextRun): Iterable<TextRun> {
  const sentences = splitSentences(text, run);
  for (const [first, { start }] of sentences.entries()) {
    for (const { end } of sentences.slice(first, first + MAX_SENTENCES)) {
      if (end - start > MAX_QUOTE_LENGTH) break;
      yield { start, end };
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

/** At the last space that is in reach; never between the two halves of a character. */
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

/** F-measure: more text counts only where it says more of what is wanted. */
function likeness(words: Set<string>, wanted: Set<string>): number {
  if (words.size === 0) return -1;
  return (2 * words.intersection(wanted).size) / (words.size + wanted.size);
}

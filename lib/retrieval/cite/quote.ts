import type { TextRun } from '../../formats/format.ts';
import { differentWords } from './words.ts';

const MAX_QUOTE_LENGTH = 400;
const MAX_SENTENCES = 4;
const PARAGRAPH = /\n\s*\n/;
const SENTENCE_OR_LINE = /[^\n]*?(?:[.!?;](?=\s)|[。！？；]|\n|$)/gu;

/**
 * The sentence, or the few neighbouring ones, of a text that say most of a claim. Undefined where there is no text. Only
 * within one run, and never with white space at its ends: `text.slice(start, end)` stands in the text as it is.
 */
export function findQuote(text: string, runs: TextRun[], claim: string): TextRun | undefined {
  const wanted = differentWords(claim);
  let best: Candidate | undefined;
  for (const run of runs) {
    for (const candidate of candidates(text, run, wanted)) {
      if (best === undefined || candidate.score > best.score) best = candidate;
    }
  }
  return best && { start: best.start, end: best.end };
}

interface Candidate extends TextRun {
  score: number;
}

/** Every sentence of a run, alone and with those that follow it in its paragraph. */
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

/** Splits at the last space in reach; never between the two halves of a character. */
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
  let shared = 0;
  for (const word of words) if (wanted.has(word)) shared += 1;
  return (2 * shared) / (words.size + wanted.size);
}

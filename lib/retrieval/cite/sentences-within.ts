import type { TextRun } from '../../formats/format.ts';

const SENTENCE_OR_LINE = /[^\n]*?(?:[.!?;](?=\s)|[。！？；]|\n|$)/gu;
/** A point that ends no sentence. */
const ABBREVIATED =
  /(?<![\p{L}\p{N}])(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|vs|Figs?|Eqs?|No|Nos|vol|pp?|al|e\.g|i\.e|cf|ca|approx|Inc|Ltd|Co|Corp|Gen|Col|Capt|Lt|Rev|Sen|Gov|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|z\.B|bzw|\p{Lu})\.$/u;
const LONGEST_ABBREVIATION = 8;

/** Returns the sentences and lines of a run, without whitespace at their ends; longer ones in pieces of at most `longest` characters. */
export function sentencesWithin(text: string, run: TextRun, longest: number): TextRun[] {
  const sentences: TextRun[] = [];
  let from = run.start;
  for (const match of text.slice(run.start, run.end).matchAll(SENTENCE_OR_LINE)) {
    const end = run.start + match.index + match[0].length;
    if (end < run.end && isAbbreviated(text, from, end)) continue;
    for (const piece of splitLong(text, { start: from, end }, longest)) {
      const trimmed = trim(text, piece);
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

function trim(text: string, { start, end }: TextRun): TextRun {
  const piece = text.slice(start, end);
  const left = piece.length - piece.trimStart().length;
  return { start: start + left, end: Math.max(start + left, start + piece.trimEnd().length) };
}

import type { CheckedSentence, DraftCheck } from './draft-check.ts';

/** A sentence, or a range of the draft that has no verdict yet. */
export interface DraftPiece {
  start: number;
  end: number;
  sentence?: CheckedSentence;
}

/** Matches an empty line, or a line that starts with a mark such as a list's. */
const BREAK = /\n\s*\n|\n\s*\S/;

/** Returns the draft in order, in paragraphs. Includes ranges without a verdict only if they may contain a claim. */
export function blocksOf({
  text,
  sentences,
  counts,
}: Pick<DraftCheck, 'text' | 'sentences' | 'counts'>): DraftPiece[][] {
  const hasPending = counts.checked < counts.claims;
  const blocks: DraftPiece[][] = [];
  let read = 0;
  const add = (piece: DraftPiece) => {
    const isNew = blocks.length === 0 || BREAK.test(text.slice(read, piece.start));
    if (isNew) blocks.push([piece]);
    else blocks.at(-1)?.push(piece);
    read = piece.end;
  };
  for (const sentence of sentences) {
    const { start, end } = sentence;
    if (hasPending) for (const piece of stretchesIn(text, read, start)) add(piece);
    add({ start, end, sentence });
  }
  if (hasPending) for (const piece of stretchesIn(text, read, text.length)) add(piece);
  return blocks;
}

/** Returns the paragraphs with words between two positions, each without the mark before it. */
function stretchesIn(text: string, from: number, to: number): DraftPiece[] {
  const found = text.slice(from, to).matchAll(/[\p{L}\p{N}"“‘'(（《「](?:(?!\n\s*\n)[\s\S])*/gu);
  return [...found].map(({ 0: words, index }) => {
    const start = from + index;
    return { start, end: start + words.trimEnd().length };
  });
}

import type { Token } from '../parts/code/token.ts';
import type { Span } from './quote-marks.ts';

export interface Piece extends Token {
  isMarked: boolean;
}

/** A line in pieces of one look: its tokens, cut where the mark begins and ends. */
export function linePieces(tokens: readonly Token[], span: Span | undefined): Piece[] {
  const [from, to] = span ?? [0, 0];
  let at = 0;
  return tokens.flatMap(({ text, ...look }) => {
    const cuts = [0, from - at, to - at, text.length].map((cut) => Math.min(Math.max(cut, 0), text.length));
    const start = at;
    at += text.length;
    return cuts.slice(1).flatMap((end, place) => {
      const begin = cuts[place] ?? 0;
      const isMarked = start + begin >= from && start + end <= to;
      return begin < end ? [{ ...look, text: text.slice(begin, end), isMarked }] : [];
    });
  });
}

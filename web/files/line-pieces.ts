import type { Token } from '../parts/code/token.ts';
import type { Span } from './quote-marks.ts';

export interface Piece extends Token {
  isMarked: boolean;
}

/** Maximum characters per line, so that a file with one long line can be rendered too. */
export const MAX_SHOWN = 20_000;

/** Returns an uncolored line in pieces. Of a long line, returns its start or the text around the mark. */
export function excerpt(line: string, span: Span | undefined): Piece[] {
  const before = Math.max(0, (span?.[0] ?? 0) - MAX_SHOWN / 2);
  const from = Math.max(0, Math.min(before, line.length - MAX_SHOWN));
  const shown = `${from > 0 ? '…' : ''}${line.slice(from, from + MAX_SHOWN)}${from + MAX_SHOWN < line.length ? '…' : ''}`;
  const shift = from > 0 ? from - 1 : 0;
  return linePieces([{ text: shown }], span && [span[0] - shift, span[1] - shift]);
}

/** Returns a line in uniformly styled pieces: its tokens, split where the mark starts and ends. */
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

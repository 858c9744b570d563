import type { TextRun } from './format.ts';

/**
 * A piece of a text: its start there, its start and end in the source, and 1 if it's verbatim or 0 if it
 * isn't.
 */
export type PieceOfText = [textStart: number, sourceStart: number, sourceEnd: number, verbatim: number];

/** The number of values per piece. */
const WIDTH = 4;

/** Returns the range of the source from which a range of the text came. A decoded entity is included as a whole. */
export function sourceRange(places: Uint32Array, start: number, end: number): TextRun {
  const [firstText, firstStart, , firstVerbatim] = placeAt(places, start);
  const [lastText, lastStart, lastEnd, lastVerbatim] = placeAt(places, end - 1);
  return {
    start: firstVerbatim ? firstStart + (start - firstText) : firstStart,
    // A passage ends with a character that was read, because the break after a piece is outside the piece.
    end: lastVerbatim ? Math.min(lastStart + (end - lastText), lastEnd) : lastEnd,
  };
}

/** Returns the last piece that starts at or before an offset; zeros if there is none. */
function placeAt(places: Uint32Array, offset: number): PieceOfText {
  let low = 0;
  let high = places.length / WIDTH - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((places[middle * WIDTH] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const [textStart = 0, sourceStart = 0, sourceEnd = 0, verbatim = 0] = places.subarray(low * WIDTH);
  return [textStart, sourceStart, sourceEnd, verbatim];
}

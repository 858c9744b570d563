import type { TextRun } from './format.ts';

/** A piece of a text: where it begins there, where it is in the source, and 1 if it's verbatim there, else 0. */
export type PieceOfText = [textStart: number, sourceStart: number, sourceEnd: number, verbatim: number];

/** The numbers of one place. */
const WIDTH = 4;

/** Where a stretch of the text came from in the source. A decoded entity is taken whole. */
export function sourceRange(places: Uint32Array, start: number, end: number): TextRun {
  const [firstText, firstStart, , firstVerbatim] = placeAt(places, start);
  const [lastText, lastStart, lastEnd, lastVerbatim] = placeAt(places, end - 1);
  return {
    start: firstVerbatim ? firstStart + (start - firstText) : firstStart,
    // A passage ends in a character that is read, but the break after a piece would be beyond it.
    end: lastVerbatim ? Math.min(lastStart + (end - lastText), lastEnd) : lastEnd,
  };
}

/** The last place that begins at or before an offset; zeros in a text without any. */
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

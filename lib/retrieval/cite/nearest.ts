import type { TextRun } from '../../formats/format.ts';
import { nextPlace } from '../../text/next-place.ts';

export interface ReadText {
  text: string;
  /** The readable runs, in order, without overlaps. */
  runs: TextRun[];
  /**
   * Returns the place in the source for a stretch of folded text. The runs refer to the source, which by
   * default is the text itself.
   */
  placeOf?(start: number, end: number): TextRun | undefined;
}

export type Fits = (place: TextRun) => boolean;

/**
 * Returns the matching occurrence of a quote closest to its expected position, within the readable runs. Takes time in proportion to the
 * length of the text.
 */
export function nearestPlace(
  read: ReadText,
  quote: string,
  expected: number,
  fits: Fits = () => true,
): TextRun | undefined {
  const after = firstFit(read, quote, placesFrom(read.text, quote, expected), fits);
  const before = firstFit(read, quote, placesBefore(read.text, quote, expected), fits);
  if (before === undefined || after === undefined) return (before ?? after)?.place;
  return (expected - before.at <= after.at - expected ? before : after).place;
}

/** The maximum number of tries. In unreadable markup, a short quote may occur a hundred thousand times. */
const MAX_TRIES = 10_000;

function firstFit(
  { runs, placeOf = (start, end) => ({ start, end }) }: ReadText,
  { length }: string,
  places: Iterable<number>,
  fits: Fits,
): { at: number; place: TextRun } | undefined {
  let tries = 0;
  for (const at of places) {
    if (tries++ === MAX_TRIES) return undefined;
    const place = placeOf(at, at + length);
    if (place !== undefined && isReadable(runs, place) && fits(place)) return { at, place };
  }
  return undefined;
}

function* placesFrom(text: string, quote: string, from: number): Iterable<number> {
  for (let at = nextPlace(text, quote, from - 1); at !== -1; at = nextPlace(text, quote, at)) yield at;
}

const WINDOW = 65_536;

/**
 * Yields the nearest place first. Searches forward in windows, because for a quote that nearly matches
 * everywhere, lastIndexOf takes time in proportion to the product of both lengths.
 */
function* placesBefore(text: string, quote: string, to: number): Iterable<number> {
  for (let end = to; end > 0; end -= WINDOW) {
    const start = Math.max(0, end - WINDOW);
    const window = text.slice(start, end + quote.length - 1);
    yield* [...placesFrom(window, quote, 0)].reverse().map((at) => start + at);
  }
}

/** Returns the parts of readable runs that are within a stretch. */
export function runsWithin(runs: TextRun[], { start, end }: TextRun): TextRun[] {
  return runs
    .filter((run) => run.start < end && run.end > start)
    .map((run) => ({ start: Math.max(run.start, start), end: Math.min(run.end, end) }));
}

/** Returns whether a place is within one readable run. */
export function isReadable(runs: TextRun[], { start, end }: TextRun): boolean {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((runs[middle]?.start ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run !== undefined && run.start <= start && start < run.end && end <= run.end;
}

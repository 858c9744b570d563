import type { TextRun } from '../../formats/format.ts';

interface ReadText {
  text: string;
  /** The readable runs, in order, without overlaps. */
  runs: TextRun[];
}

type Fits = (place: TextRun) => boolean;

/** Returns the matching occurrence of a quote closest to its expected position, within the readable runs. */
export function nearestPlace(
  read: ReadText,
  quote: string,
  expected: number,
  fits: Fits = () => true,
): TextRun | undefined {
  const after = search(read, quote, { from: expected, step: 1 }, fits);
  const before = expected > 0 ? search(read, quote, { from: expected - 1, step: -1 }, fits) : undefined;
  if (before === undefined || after === undefined) return before ?? after;
  return expected - before.start <= after.start - expected ? before : after;
}

/** Limits the work: a short quote may occur a hundred thousand times in unreadable markup. */
const MAX_TRIES = 10_000;

/** Returns the first occurrence from a position on, in one direction. */
function search(
  { text, runs }: ReadText,
  quote: string,
  { from, step }: { from: number; step: 1 | -1 },
  fits: Fits,
): TextRun | undefined {
  let at = from;
  for (let tries = 0; tries < MAX_TRIES && at >= 0; tries++) {
    at = step === 1 ? text.indexOf(quote, at) : text.lastIndexOf(quote, at);
    if (at === -1) return undefined;
    const run = runAt(runs, at);
    const place = { start: at, end: at + quote.length };
    if (run !== undefined && place.end <= run.end && fits(place)) return place;
    at += step;
  }
  return undefined;
}

/** Returns the run that contains a character. */
function runAt(runs: TextRun[], at: number): TextRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((runs[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run !== undefined && run.start <= at && at < run.end ? run : undefined;
}

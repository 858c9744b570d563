import type { TextRun } from '../../formats/format.ts';
import { type ReadText, runsWithin } from './nearest.ts';

/**
 * The number of characters per stretch. The same stretches are used around all quotes of a file, so that each
 * is parsed only once.
 */
const STRETCH = 3000;
/** The maximum distance between a fact and its quote, on either side, in characters: the page or the section. */
export const AROUND = 6000;

/** Returns the visible text around a quote, in stretches of at most 3,000 characters. */
export function stretchesAround(source: ReadText, quote: TextRun): string[] {
  const first = Math.floor(Math.max(0, quote.start - AROUND) / STRETCH);
  const last = Math.floor(Math.min(source.text.length - 1, quote.end + AROUND) / STRETCH);
  const stretches: string[] = [];
  for (let at = first; at <= last; at++) {
    const stretch = readableIn(source, edge(source.text, at), edge(source.text, at + 1));
    if (stretch !== '') stretches.push(stretch);
  }
  return stretches;
}

/** Returns a position between two words, if there is a space nearby. */
function edge(text: string, at: number): number {
  const end = at * STRETCH;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  return end - space < STRETCH / 10 ? space + 1 : end;
}

/** Returns the quotable text of a stretch. */
export function readableIn({ text, runs }: ReadText, start: number, end: number): string {
  const shown = runsWithin(runs, { start, end }).map((run) => text.slice(run.start, run.end));
  return shown.join('\n').trim();
}

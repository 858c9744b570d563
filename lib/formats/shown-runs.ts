import type { TextRun } from './format.ts';

/** Returns the ranges between the given runs, which may overlap and be in any order. */
export function outsideRuns(length: number, runs: TextRun[]): TextRun[] {
  const outside: TextRun[] = [];
  let from = 0;
  for (const { start, end } of runs.toSorted((a, b) => a.start - b.start)) {
    if (start > from) outside.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  return from < length ? [...outside, { start: from, end: length }] : outside;
}

/** Replaces each character of the runs, which may overlap, so that the text keeps its length. */
export function blankRuns(text: string, runs: TextRun[], by = ' '): string {
  let blanked = '';
  for (const { start, end } of outsideRuns(text.length, runs))
    blanked = blanked.padEnd(start, by) + text.slice(start, end);
  return blanked.padEnd(text.length, by);
}

/** Returns where a pattern matches. */
export function runsOf(text: string, pattern: RegExp): TextRun[] {
  return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/** A line without its line break. */
export interface Line extends TextRun {
  text: string;
}

export function* linesOf(source: string): Iterable<Line> {
  for (let start = 0; start < source.length; ) {
    const lineBreak = source.indexOf('\n', start);
    const end = lineBreak === -1 ? source.length : lineBreak;
    yield { start, end, text: source.slice(start, end).trimEnd() };
    start = end + 1;
  }
}

const ELEMENT = /<[a-z][^<>]*>/gi;
const NEVER_CLOSED = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b|\/>$/i;

/**
 * Returns the range that passthrough HTML may hide: from the first to the last piece that leaves an element
 * or a comment open, or closes one.
 */
export function leftOpen(source: string, pieces: TextRun[]): TextRun[] {
  const open = pieces
    .filter(({ start, end }) => !isClosed(source.slice(start, end)))
    .toSorted((a, b) => a.start - b.start);
  const [first, ...others] = open;
  if (first === undefined) return [];
  return [{ start: first.start, end: others.at(-1)?.end ?? source.length }];
}

function isClosed(html: string): boolean {
  const opened = (html.match(ELEMENT) ?? []).filter((tag) => !NEVER_CLOSED.test(tag)).length;
  const count = (text: string) => html.split(text).length - 1;
  return opened === count('</') && count('<!--') === count('-->');
}

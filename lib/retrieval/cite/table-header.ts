import type { TextRun } from '../../formats/format.ts';
import { scaleNamed } from '../../support/rules/named-units.ts';
import { captionAbove, isHeaderLine } from '../../support/rules/table-rows.ts';
import type { ReadText } from './nearest.ts';
import { readableIn } from './stretches-around.ts';

/** The maximum distance between a row and the header of its table, in characters. */
const MAX_ABOVE = 200_000;
/** The maximum length of a header in characters. */
const MAX_HEADER = 2000;

/**
 * Returns a quote in the form for comparing it with a claim. A row of a table gets the header of its table,
 * which may be far above: without the header, a row with `520` doesn't show the year. A caption that scales all numbers
 * (`in million euros`) comes before the header.
 */
export function withTableHeader(source: ReadText, quote: TextRun): string {
  const { scale, header } = linesAbove(source, quote);
  return joined(scale, header, source.text.slice(quote.start, quote.end));
}

function joined(...lines: (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined).join('\n');
}

/** The number of characters on either side of a quote. For a quoted row, these are other rows. */
const TABLE_REACH = 1000;
const TEXT_REACH = 600;

/** Returns the lines around a quote; for a quoted row, the rows of its table with the header. */
export function linesAround(source: ReadText, quote: TextRun): string {
  const { text } = source;
  if (!text.slice(quote.start, quote.end).includes('|'))
    return readableIn(source, Math.max(0, quote.start - TEXT_REACH), quote.end + TEXT_REACH);
  const from = Math.max(0, quote.start - TABLE_REACH);
  const above = text.slice(from, quote.start).split('\n');
  const below = text.slice(quote.end, quote.end + TABLE_REACH).split('\n');
  const first = above.findLastIndex((line, at) => at < above.length - 1 && !line.includes('|'));
  const end = below.findIndex((line, at) => at > 0 && !line.includes('|'));
  const rows = [
    above.slice(first + 1).join('\n'),
    text.slice(quote.start, quote.end),
    below.slice(0, end === -1 ? undefined : end).join('\n'),
  ].join('');
  const { scale, header = '' } = linesAbove(source, quote);
  return joined(scale, rows.includes(header) ? undefined : header, rows);
}

interface LinesAbove {
  /** The line above the table, if it scales all numbers of the table. */
  scale?: string | undefined;
  /** The header row, unless the quote starts with it. */
  header?: string | undefined;
}

/** Returns lines of the table above a quoted row that the row needs to be understood. */
function linesAbove({ text, runs }: ReadText, { start, end }: TextRun): LinesAbove {
  const row = lineAt(text, start);
  if (!row.text.includes('|')) return {};
  const run = runs.find((each) => each.start <= start && end <= each.end);
  const least = Math.max(run?.start ?? start, start - MAX_ABOVE);
  const [first, second] = firstLines(text, row.start, least);
  const top = first ?? row;
  const caption = captionAbove(text.slice(least, top.start), top.start - least);
  return { scale: scaleNamed(caption) && caption, header: first && headerIn(first, second, row) };
}

function headerIn(first: Line, second: Line | undefined, row: Line): string | undefined {
  if (first.text.length > MAX_HEADER) return undefined;
  const isHeader = isHeaderLine({ first: first.text, second: second?.text ?? '', row: row.text });
  return isHeader ? first.text : undefined;
}

interface Line {
  text: string;
  start: number;
}

/** Returns the top lines of the table that contains the row starting there; none if that row is the first. */
function firstLines(text: string, from: number, least: number): Line[] {
  let lines: Line[] = [];
  for (let start = from; start - 1 >= least; ) {
    const line = lineAt(text, start - 1);
    if (line.start < least || !line.text.includes('|')) break;
    lines = [line, ...lines.slice(0, 1)];
    start = line.start;
  }
  return lines;
}

function lineAt(text: string, at: number): Line {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return { start, text: text.slice(start, end === -1 ? text.length : end) };
}

import type { TextRun } from '../../formats/format.ts';
import { isHeaderLine } from '../../support/rules/table-rows.ts';
import type { ReadText } from './nearest.ts';
import { readableIn } from './stretches-around.ts';

/** How far above a row its table's header is looked for. */
const MAX_ABOVE = 200_000;
/** The longest header; a longer line is none. */
const MAX_HEADER = 2000;

/**
 * Returns a quote as it is compared with a claim: a row of a table with the header of the table, which may be far above it. Without it,
 * `520` of a row says nothing of the year that only the header has.
 */
export function withTableHeader(source: ReadText, quote: TextRun): string {
  const said = source.text.slice(quote.start, quote.end);
  const header = headerAbove(source, quote);
  return header === undefined ? said : `${header}\n${said}`;
}

/** Rows on either side of a quoted one, and text on either side of another quote, in characters. */
const TABLE_REACH = 1000;
const TEXT_REACH = 600;

/** Returns the lines around a quote; of a quoted row, those of its table, with its header. */
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
  const header = headerAbove(source, quote);
  return header === undefined || rows.includes(header) ? rows : `${header}\n${rows}`;
}

function headerAbove({ text, runs }: ReadText, { start, end }: TextRun): string | undefined {
  const row = lineAt(text, start);
  if (!row.text.includes('|') || row.start === 0) return undefined;
  const run = runs.find((each) => each.start <= start && end <= each.end);
  const least = Math.max(run?.start ?? start, start - MAX_ABOVE);
  const [first, second] = firstLines(text, row.start, least);
  if (first === undefined || first.length > MAX_HEADER) return undefined;
  return isHeaderLine({ first, second: second ?? '', row: row.text }) ? first : undefined;
}

/** The topmost lines of the table whose row starts there; none if it is the first. */
function firstLines(text: string, from: number, least: number): string[] {
  let lines: string[] = [];
  for (let start = from; start - 1 >= least; ) {
    const line = lineAt(text, start - 1);
    if (line.start < least || !line.text.includes('|')) break;
    lines = [line.text, ...lines.slice(0, 1)];
    start = line.start;
  }
  return lines;
}

function lineAt(text: string, at: number): { text: string; start: number } {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return { start, text: text.slice(start, end === -1 ? text.length : end) };
}

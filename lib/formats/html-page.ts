import type { ReadRun } from './format.ts';
import { readHtmlRuns } from './html.ts';
import { joinRuns } from './markup-text.ts';

/**
 * Returns the readable content of an HTML page inside another file: its text, and where its headings start. A
 * page of a book or a mail is bare: it has no navigation around its content.
 */
export function pageText(source: string, isBare = true): { text: string; headings: Set<number> } {
  const body = withoutHead(source);
  const runs = readHtmlRuns(body, { isBare }).map(foldEdges);
  const first = runs.findIndex(({ text }) => text.trim() !== '');
  const { text, headings } = joinRuns(body, first === -1 ? [] : runs.slice(first));
  return { text: text.trimEnd(), headings };
}

/**
 * Searches for the end once. A single pattern for start and end would search for the end from every start.
 */
function withoutHead(source: string): string {
  const start = source.search(/<head[\s>]/i);
  const end = start === -1 ? null : /<\/head\s*>/i.exec(source.slice(start));
  return end === null ? source : source.slice(0, start) + source.slice(start + end.index + end[0].length);
}

/** The line breaks of a page's source don't matter, except within preformatted text, which may be code. */
function foldEdges(run: ReadRun): ReadRun {
  const text = run.text.replace(/^\s*\n\s*/, run.breakBefore === 0 ? ' ' : '').replace(/(?<!\s)\s+$/, ' ');
  return { ...run, text };
}

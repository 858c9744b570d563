import type { ReadRun } from './format.ts';
import { readHtmlRuns } from './html.ts';
import { joinRuns } from './markup-text.ts';

/** What a page of HTML says that another file carries (a book, a mail): its text, and where headings begin there. */
export function pageText(source: string): { text: string; headings: Set<number> } {
  const body = source.replace(/<head[\s>][\s\S]*?<\/head\s*>/i, '');
  const runs = readHtmlRuns(body).map(foldEdges);
  const first = runs.findIndex(({ text }) => text.trim() !== '');
  const { text, headings } = joinRuns(body, first === -1 ? [] : runs.slice(first));
  return { text: text.trimEnd(), headings };
}

/** How a page is laid out in its file says nothing; within a piece of text lines are kept, for it may be a program. */
function foldEdges(run: ReadRun): ReadRun {
  const text = run.text.replace(/^\s*\n\s*/, run.breakBefore === 0 ? ' ' : '').replace(/\s+$/, ' ');
  return { ...run, text };
}

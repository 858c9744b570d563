import { writeNote } from '../../lib/api-contract/note-sources.ts';
import { lineWords } from '../../lib/api-contract/source-list.ts';
import type { Citation } from './message-view.ts';

/** Text that a person selected in a file. Its location is known in views with lines or pages. */
export interface Passage {
  path: string;
  text: string;
  page?: number | undefined;
  lines?: [first: number, last: number] | undefined;
}

const MAX_TITLE = 80;

/** Returns the quotation as the start of a question. */
export function quoteForChat(passage: Passage): string {
  return `${asQuotation(passage.text)}\n> (${[passage.path, placeOf(passage)].filter(Boolean).join(', ')})\n\n`;
}

/** Returns a note of the passage, with a link to its location, if known. */
export function noteOfPassage(passage: Passage): { title: string; content: string } {
  const { path, text, page, lines } = passage;
  const [startLine, endLine] = lines ?? [1, 1];
  const citation: Citation = {
    ...{ index: 1, path, startLine, endLine, quote: text },
    ...(page !== undefined && { place: { kind: 'page' as const, at: String(page) } }),
  };
  const isPlaced = page !== undefined || lines !== undefined;
  const quotation = asQuotation(text);
  return {
    title: titleOf(text),
    content: isPlaced
      ? writeNote({ text: `${quotation}\n\n[1]`, citations: [citation] }, { withLines: lines !== undefined })
      : `${quotation}\n\n${path}`,
  };
}

function titleOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line;
}

function asQuotation(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function placeOf({ page, lines }: Passage): string {
  if (page !== undefined) return `page ${page}`;
  if (lines === undefined) return '';
  return lineWords(...lines);
}

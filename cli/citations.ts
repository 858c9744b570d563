import type { FilePart } from '../lib/ports/file-part.ts';
import type { Citation } from '../lib/retrieval/cite/cite.ts';
import { cyan, dim, type Piece, printLine, shortLine, yellow } from './terminal.ts';
import type { Place } from './workspace.ts';

const SHOWN_QUOTE = 160;

/** ` (page 3)`, ` (Budget, rows 2-9 of 950)`; empty where the format has no parts. */
export function describePart({ page, slide, sheet, rows, of, cell }: FilePart): string {
  if (page !== undefined) return ` (page ${page})`;
  if (slide !== undefined) return ` (slide ${slide})`;
  if (cell !== undefined) return ` (cell ${cell})`;
  if (sheet === undefined) return of === undefined ? '' : ` (of ${of} lines)`;
  const total = of === undefined ? '' : ` of ${of}`;
  return ` (${sheet}${rows === undefined ? '' : `, rows ${rows.join('-')}${total}`})`;
}

/** `[1] notes/owls.md:3 "Owls hunt at night."`, as editors and terminals open it. */
export function printCitation(citation: Citation, { show }: Place): void {
  const { index, path, startLine, quote } = citation;
  const place = `${show(path)}:${startLine}`;
  const cut = shortLine(quote, SHOWN_QUOTE);
  printLine(
    `[${index}] `,
    cyan(place),
    dim(`${describePart(citation)}${cut === '' ? '' : `  “${cut}”`}`),
    ...doubts(citation),
  );
}

/** What the service found when it checked. */
function doubts({ verified, stale }: Citation): Piece[] {
  if (stale) return [yellow('  changed since it was indexed')];
  return verified ? [] : [yellow('  not verified')];
}

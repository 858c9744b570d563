import type { ReadRun } from '../../formats/format.ts';
import { type HtmlFollower, readHtmlRuns } from '../../formats/html.ts';
import { onOneLine } from '../../formats/sheets.ts';
import type { DraftBlock } from './draft.ts';
import { tableReader } from './table-reader.ts';
import { spanOf } from './tables.ts';

/** Code and formulas aren't sentences, and the title of a page is repeated on it. */
const SKIPPED_IN_DRAFTS = new Set(['pre', 'math', 'title']);
const GAP = '\n\n';

/** The text of a page, with one space for any whitespace. */
export function readHtmlDraft(source: string): { text: string; blocks: DraftBlock[] } {
  const seen = readBlocks(source)
    .map((block) => ({ ...block, shown: onOneLine(block.shown) }))
    .filter(({ shown }) => shown !== '');
  let start = 0;
  for (const block of seen) {
    block.start = start;
    start += block.shown.length + GAP.length;
  }
  return { text: seen.map(({ shown }) => shown).join(GAP), blocks: seen };
}

function readBlocks(source: string): DraftBlock[] {
  const blocks: DraftBlock[] = [];
  const tables = tableReader<DraftBlock>({
    textOf: ({ shown }) => onOneLine(shown),
    onPiece: (block) => void blocks.push(block),
    onRow(cells, known) {
      const shown = cells.map((cell) => cell.map((block) => onOneLine(block.shown)).join(' ')).join(' | ');
      blocks.push({ start: 0, shown, ...known, ...(known.row === 'header' && { isHeading: true }) });
    },
  });
  let last: DraftBlock | undefined;
  const { open, close } = followTables(tables);
  const run = ({ text, breakBefore }: ReadRun) => {
    if (last !== undefined && breakBefore === 0) last.shown += text;
    else {
      last = { start: 0, shown: text, ...(breakBefore === 2 && { isHeading: true }) };
      tables.add(last);
    }
  };
  readHtmlRuns(source, { skipped: SKIPPED_IN_DRAFTS, follower: { open, run, close } });
  return blocks;
}

/** A row in the head of a table names its columns, and so does one of header cells alone. */
function followTables(tables: ReturnType<typeof tableReader>): Omit<HtmlFollower, 'run'> {
  /** Of the open rows, the inner one last: whether each cell is one of a header. */
  const onlyHeaders: boolean[] = [];
  let heads = 0;
  const openCell = (isHeader: boolean, { colspan, rowspan }: Record<string, string>) => {
    tables.openCell({ columns: spanOf(colspan), rows: spanOf(rowspan) });
    if (!isHeader) onlyHeaders[onlyHeaders.length - 1] = false;
  };
  const opened: Record<string, (attributes: Record<string, string>) => void> = {
    thead: () => void heads++,
    table: tables.openTable,
    tr() {
      tables.openRow();
      onlyHeaders.push(true);
    },
    th: (attributes) => openCell(true, attributes),
    td: (attributes) => openCell(heads > 0, attributes),
  };
  const closed: Record<string, () => void> = {
    thead: () => void heads--,
    table: tables.closeTable,
    tr() {
      if (onlyHeaders.pop() === true) tables.markHeader();
    },
  };
  return {
    open: (name, attributes) => (Object.hasOwn(opened, name) ? opened[name]?.(attributes) : undefined),
    close: (name) => (Object.hasOwn(closed, name) ? closed[name]?.() : undefined),
  };
}

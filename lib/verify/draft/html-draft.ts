import type { ReadRun } from '../../formats/format.ts';
import { type HtmlFollower, html, readHtmlRuns } from '../../formats/html.ts';
import { onOneLine } from '../../formats/sheets.ts';
import { type DraftBuilder, type DraftPiece, draftBuilder } from './draft-builder.ts';
import { spanOf } from './tables.ts';

/** Code and formulas aren't sentences, and the title of a page is repeated on it. */
const SKIPPED_IN_DRAFTS = new Set(['pre', 'math', 'title']);

/** The text of a page, with one space for any whitespace. */
export function readHtmlDraft(source: string) {
  const draft = draftBuilder(html.title);
  let last: DraftPiece | undefined;
  const end = () => {
    if (last !== undefined) draft.add({ ...last, text: onOneLine(last.text) });
    last = undefined;
  };
  const run = ({ text, breakBefore }: ReadRun) => {
    if (last !== undefined && breakBefore === 0) last.text += text;
    else {
      end();
      last = { text, ...(breakBefore === 2 && { isHeading: true }) };
    }
  };
  const { open, close } = followTables(draft);
  const follower: HtmlFollower = {
    run,
    open(name, attributes) {
      if (!IN_TABLES.has(name)) return;
      end();
      open[name]?.(attributes);
    },
    close(name) {
      if (!IN_TABLES.has(name)) return;
      end();
      close[name]?.();
    },
  };
  readHtmlRuns(source, { skipped: SKIPPED_IN_DRAFTS, follower });
  end();
  return draft.finish();
}

const IN_TABLES = new Set(['thead', 'table', 'tr', 'th', 'td']);

/** A row in the head of a table names its columns, and so does one of header cells alone. */
function followTables(draft: DraftBuilder) {
  /** Of the open rows, the inner one last: whether each cell is one of a header. */
  const onlyHeaders: boolean[] = [];
  let heads = 0;
  const openCell = (isHeader: boolean, { colspan, rowspan }: Record<string, string>) => {
    draft.openCell({ columns: spanOf(colspan), rows: spanOf(rowspan) });
    if (!isHeader) onlyHeaders[onlyHeaders.length - 1] = false;
  };
  const open: Record<string, (attributes: Record<string, string>) => void> = {
    thead: () => void heads++,
    table: draft.openTable,
    tr() {
      draft.openRow();
      onlyHeaders.push(true);
    },
    th: (attributes) => openCell(true, attributes),
    td: (attributes) => openCell(heads > 0, attributes),
  };
  const close: Record<string, () => void> = {
    thead: () => void heads--,
    table: draft.closeTable,
    tr() {
      if (onlyHeaders.pop() === true) draft.markHeader();
    },
  };
  return { open, close };
}

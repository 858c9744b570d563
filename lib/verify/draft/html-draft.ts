import type { ReadRun } from '../../formats/format.ts';
import { type HtmlFollower, html, readHtmlRuns } from '../../formats/html.ts';
import { onOneLine } from '../../formats/sheets.ts';
import { type DraftPiece, draftBuilder } from './draft-builder.ts';
import { spanOf } from './tables.ts';

/** Code and formulas aren't sentences, and a page's `title` repeats its heading. */
const SKIPPED_IN_DRAFTS = new Set(['pre', 'math', 'title']);
const IN_TABLES = new Set(['thead', 'table', 'tr', 'th', 'td']);

/** Reads the text of a page, with any whitespace as one space. */
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
  /** The number of open table heads. */
  let heads = 0;
  const openCell = (isHeader: boolean, { colspan, rowspan }: Record<string, string>) =>
    draft.openCell({ columns: spanOf(colspan), rows: spanOf(rowspan), isHeader });
  const follower: HtmlFollower = {
    run,
    open(name, attributes) {
      if (!IN_TABLES.has(name)) return;
      end();
      if (name === 'thead') heads++;
      else if (name === 'table') draft.openTable();
      else if (name === 'tr') draft.openRow();
      else openCell(name === 'th' || heads > 0, attributes);
    },
    close(name) {
      if (!IN_TABLES.has(name)) return;
      end();
      if (name === 'thead') heads--;
      if (name === 'table') draft.closeTable();
    },
  };
  readHtmlRuns(source, { skipped: SKIPPED_IN_DRAFTS, follower });
  end();
  return draft.finish();
}

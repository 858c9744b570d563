import type { TextRun } from '../../formats/format.ts';
import { markdown } from '../../formats/markdown.ts';
import { type Line, linesOf } from '../../formats/shown-runs.ts';
import type { DraftBlock } from './draft.ts';
import { findTableLines, outerPipes, type TableLine } from './markdown-tables.ts';

/** Joins adjacent lines of a source to blocks. */
export function blocksOfLines() {
  const places: (TextRun & Pick<DraftBlock, 'isHeading' | 'row'>)[] = [];
  let open: TextRun | undefined;
  return {
    add({ start, end }: TextRun) {
      if (open === undefined) {
        open = { start, end };
        places.push(open);
      } else open.end = end;
    },
    /** No later line belongs to the open block. */
    end() {
      open = undefined;
    },
    isOpen: () => open !== undefined,
    /** Makes the open block a heading: the line below it is a rule. */
    endHeading() {
      if (open !== undefined) Object.assign(open, { isHeading: true });
      open = undefined;
    },
    addHeading({ start, end }: TextRun) {
      open = undefined;
      places.push({ start, end, isHeading: true });
    },
    /** A row of a table, without the pipes around it. The row that names the columns claims nothing. */
    addRow({ start, end, text }: Line, row: NonNullable<DraftBlock['row']>) {
      open = undefined;
      const { before, after } = outerPipes(text);
      places.push({
        ...{ start: start + before, end: Math.max(start + before, end - after), row },
        ...(row === 'header' && { isHeading: true }),
      });
    },
    /** `shown` has the length of the source. */
    finish: (shown: string): DraftBlock[] =>
      places.map(({ start, end, ...kind }) => ({ start, shown: shown.slice(start, end), ...kind })),
  };
}

const ITEM = /^\s*(?:[-*•·–]\s+|\d{1,3}[.)]\s+|[（(]\d{1,3}[)）]\s*)/;
const RULE = /^\s*[-=*_~]{3,}\s*$/;

/** Paragraphs and items of plain text. Headings and tables are those that are marked as in Markdown. */
export function plainTextBlocks(source: string): DraftBlock[] {
  const blocks = blocksOfLines();
  const lines = [...linesOf(source)];
  const tables = findTableLines(lines.map(({ text }) => text));
  for (const [index, line] of lines.entries()) {
    const inTable = tables[index];
    if (inTable !== undefined) addTableLine(blocks, line, inTable);
    else addPlainLine(blocks, line, lines[index + 1]?.text ?? '');
  }
  return blocks.finish(source);
}

function addPlainLine(blocks: ReturnType<typeof blocksOfLines>, line: Line, next: string): void {
  const isHeading = markdown.structure?.heading?.(line.text, next) !== undefined;
  if (line.text.trim() === '' || RULE.test(line.text)) blocks.end();
  else if (isHeading) blocks.addHeading(line);
  else {
    const item = ITEM.exec(line.text)?.[0];
    if (item !== undefined) blocks.end();
    blocks.add({ ...line, start: line.start + (item?.length ?? 0) });
  }
}

export function addTableLine(blocks: ReturnType<typeof blocksOfLines>, line: Line, inTable: TableLine): void {
  if (inTable === 'rule') blocks.end();
  else blocks.addRow(line, inTable);
}

/** Replaces by `\0` what readers don't see: a text keeps its length. */
export function unseen(text: string): string {
  return '\0'.repeat(text.length);
}

export function blankRuns(source: string, runs: TextRun[]): string {
  let shown = '';
  for (const { start, end } of runs) {
    if (end <= shown.length) continue;
    const from = Math.max(start, shown.length);
    shown += source.slice(shown.length, from) + '\0'.repeat(end - from);
  }
  return shown + source.slice(shown.length);
}

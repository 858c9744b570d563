import type { TextRun } from '../../formats/format.ts';
import { markdown } from '../../formats/markdown.ts';
import { linesOf } from '../../formats/shown-runs.ts';
import type { DraftBlock } from './draft.ts';

/** Joins adjacent lines of a source to blocks. */
export function blocksOfLines() {
  const places: (TextRun & { isHeading?: true })[] = [];
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
    addAlone({ start, end }: TextRun, isHeading = true) {
      open = undefined;
      places.push({ start, end, ...(isHeading && { isHeading: true as const }) });
    },
    /** `shown` has the length of the source. */
    finish: (shown: string): DraftBlock[] =>
      places.map(({ start, end, isHeading }) => ({
        start,
        shown: shown.slice(start, end),
        ...(isHeading && { isHeading }),
      })),
  };
}

const ITEM = /^\s*(?:[-*•·–]\s+|\d{1,3}[.)]\s+|[（(]\d{1,3}[)）]\s*)/;
const RULE = /^\s*[-=*_~]{3,}\s*$/;

/** Paragraphs and items of plain text. Headings are those that are marked as in Markdown. */
export function plainTextBlocks(source: string): DraftBlock[] {
  const blocks = blocksOfLines();
  const lines = [...linesOf(source)];
  for (const [index, line] of lines.entries()) {
    const isHeading = markdown.structure?.heading?.(line.text, lines[index + 1]?.text ?? '') !== undefined;
    if (line.text.trim() === '' || RULE.test(line.text)) blocks.end();
    else if (isHeading) blocks.addAlone(line);
    else {
      const item = ITEM.exec(line.text)?.[0];
      if (item !== undefined) blocks.end();
      blocks.add({ ...line, start: line.start + (item?.length ?? 0) });
    }
  }
  return blocks.finish(source);
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

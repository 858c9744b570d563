import { markdown } from '../../formats/markdown.ts';
import { linesOf } from '../../formats/shown-runs.ts';
import { blocksOfLines } from './blocks-of-lines.ts';
import type { DraftBlock } from './draft.ts';

const ITEM = /^\s*(?:[-*•·–]\s+|\d{1,3}[.)]\s+|[（(]\d{1,3}[)）]\s*)/;
const RULE = /^\s*[-=*_~]{3,}\s*$/;

/** Paragraphs and items of plain text. Headings are those that are marked as in Markdown. */
export function textBlocks(source: string): DraftBlock[] {
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

import { readHtmlRuns, SKIPPED_ELEMENTS } from '../../formats/html.ts';
import type { DraftBlock } from './draft.ts';

/** Code and formulas aren't sentences, and the title of a page is repeated on it. */
const SKIPPED = new Set([...SKIPPED_ELEMENTS, 'pre', 'math', 'title']);

/** The text of a page, with one space for any whitespace. */
export function readHtmlDraft(source: string): { text: string; blocks: DraftBlock[] } {
  const blocks: DraftBlock[] = [];
  for (const { text, breakBefore } of readHtmlRuns(source, SKIPPED)) {
    const block = blocks.at(-1);
    if (block !== undefined && breakBefore === 0) block.shown += text;
    else blocks.push({ start: 0, shown: text, ...(breakBefore === 2 && { isHeading: true }) });
  }
  const seen = blocks
    .map((block) => ({ ...block, shown: block.shown.replace(/\s+/g, ' ').trim() }))
    .filter(({ shown }) => shown !== '');
  let start = 0;
  for (const block of seen) {
    block.start = start;
    start += block.shown.length + GAP.length;
  }
  return { text: seen.map(({ shown }) => shown).join(GAP), blocks: seen };
}

const GAP = '\n\n';

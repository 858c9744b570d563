import type { Format } from './format.ts';
import { withoutBraces } from './trailing-braces.ts';

const HEADING = /^(#{1,6}\s|\.\. \w|={1,5} \w)/;
const DOUBLE_RULE = /^={3,}\s*$/;
/** The line under a title. A line of `===` may also be above the title. */
const RULE = /^(={3,}|-{3,})\s*$/;

/** Markdown and similar formats: headings start with a mark, or have a line under them. */
export const markdown: Format<'markdown', 'text'> = {
  name: 'markdown',
  version: 3,
  title: 'Markdown',
  extensions: ['md', 'markdown', 'mdx'],
  mediaType: 'text/markdown',
  content: 'text',
  unit: 'line',
  structure: {
    belongsToBefore: (line, before) => before.trim() !== '' && (RULE.test(line) || DOUBLE_RULE.test(before)),
    startsSection: (line, blankBefore) => HEADING.test(line) || (blankBefore && DOUBLE_RULE.test(line)),
    isUnderline: (line, before) => before.trim() !== '' && !RULE.test(before) && RULE.test(line),
    heading(line, after) {
      const mark = /^(#{1,6}|={1,5})\s/.exec(line)?.[1];
      const isOverRule = line.trim() !== '' && !RULE.test(line) && RULE.test(after);
      if (mark === undefined && !isOverRule) return undefined;
      return { level: mark?.length ?? (after.startsWith('=') ? 1 : 2), text: withoutMarks(line) };
    },
    isFence: (line) => /^\s*(```|~~~)/.test(line),
  },
};

const CLOSING_MARKS = /(?<![#=\s])[#=\s]+$/;

/** Also removes the anchor that some writers put after a heading. */
function withoutMarks(line: string): string {
  return withoutBraces(line.replace(/^[#=\s]+/, '').replace(CLOSING_MARKS, ''));
}

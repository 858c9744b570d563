import type { Format } from './format.ts';

const HEADING = /^(#{1,6}\s|\.\. \w|={1,5} \w)/;
const DOUBLE_RULE = /^={3,}\s*$/;
/** Under a title; in reStructuredText `===` also above it. */
const RULE = /^(={3,}|-{3,})\s*$/;

/** Markdown and its kin: headings begin with a mark, or have a line under them. */
export const markdown: Format<'markdown', 'text'> = {
  name: 'markdown',
  version: 2,
  title: 'Markdown',
  extensions: 'md markdown mdx rst adoc asciidoc'.split(' '),
  mediaType: 'text/markdown',
  content: 'text',
  unit: 'line',
  structure: {
    belongsToBefore: (line, before) => before.trim() !== '' && (RULE.test(line) || DOUBLE_RULE.test(before)),
    startsSection: (line, blankBefore) => HEADING.test(line) || (blankBefore && DOUBLE_RULE.test(line)),
    isUnderline: (line, before) => before.trim() !== '' && !RULE.test(before) && RULE.test(line),
    headingLevel(line, after) {
      const mark = /^(#{1,6}|={1,5})\s/.exec(line)?.[1];
      if (mark !== undefined) return mark.length;
      if (line.trim() === '' || RULE.test(line) || !RULE.test(after)) return undefined;
      return after.startsWith('=') ? 1 : 2;
    },
  },
};

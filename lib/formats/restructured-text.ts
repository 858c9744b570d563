import type { Format } from './format.ts';

/** A line of a repeated punctuation mark, under a title, or above and under it. */
const RULE = /^([!-/:-@[-`{-~])\1{2,}\s*$/;
const DIRECTIVE = /^\.\. \w/;
/** The usual ranks of the marks. In a text, their order of first use decides. */
const RANKS = '#*=-~^';
const LOWEST = 8;

/** Titles have a line of any mark under them. Code is indented, without fences. */
export const restructuredText: Format<'restructuredtext', 'text'> = {
  name: 'restructuredtext',
  version: 2,
  title: 'reStructuredText',
  extensions: ['rst'],
  mediaType: 'text/x-rst',
  content: 'text',
  unit: 'line',
  structure: {
    belongsToBefore: (line, before) => isTitle(before, line) || (RULE.test(before) && isTitle(line, before)),
    startsSection: (line, blankBefore) => DIRECTIVE.test(line) || (blankBefore && RULE.test(line)),
    isUnderline: (line, before) => isTitle(before, line),
    heading(line, after) {
      if (!isTitle(line, after)) return undefined;
      const rank = RANKS.indexOf(after.charAt(0));
      return { level: rank < 0 ? LOWEST : rank + 1, text: line };
    },
  },
};

/** A short line of marks counts only if it's as long as the title. */
function isTitle(line: string, rule: string): boolean {
  if (line.trim() === '' || RULE.test(line) || !RULE.test(rule)) return false;
  const length = rule.trimEnd().length;
  return length >= 4 || length >= line.trim().length;
}

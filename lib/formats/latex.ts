import type { Format } from './format.ts';

/** From the highest level to the lowest. */
const LEVELS = ['title', 'part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph'];
const SECTION = new RegExp(
  `^\\s*\\\\(${LEVELS.join('|')}|begin\\{(abstract|document|thebibliography|appendix)\\})`,
);
const TITLED = new RegExp(`^\\s*\\\\(${LEVELS.join('|')})\\*?\\s*(?:\\[[^\\]]*\\]\\s*)?\\{(.*)`);
/** The label of a section for references, on the line after its heading. */
const LABEL = /^\s*\\label\{/;

/** TeX: text with commands that mark where a section starts. */
export const latex: Format<'latex', 'text'> = {
  name: 'latex',
  version: 3,
  title: 'LaTeX',
  extensions: ['tex', 'ltx', 'latex'],
  mediaType: 'application/x-tex',
  content: 'text',
  unit: 'line',
  structure: {
    belongsToBefore: (line) => LABEL.test(line),
    startsSection: (line) => SECTION.test(line),
    heading(line) {
      const [, command = '', title] = TITLED.exec(line) ?? [];
      return title === undefined
        ? undefined
        : { level: LEVELS.indexOf(command) + 1, text: withoutCommands(title) };
    },
  },
};

function withoutCommands(title: string): string {
  return title
    .replace(/\\label\{[^}]*\}?/g, '')
    .replace(/\\[a-zA-Z]+\*?|[{}]/g, '')
    .replace(/[~\s]+/g, ' ');
}

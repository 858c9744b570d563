import type { Format } from './format.ts';

const SECTION =
  /^\s*\\(part|chapter|section|subsection|subsubsection|paragraph|begin\{(abstract|document|thebibliography|appendix)\})/;
/** What a section is called by elsewhere stands on the next line. */
const LABEL = /^\s*\\label\{/;

/** TeX: text with commands, which say where a section begins. */
export const latex: Format<'latex', 'text'> = {
  name: 'latex',
  version: 1,
  title: 'LaTeX',
  extensions: ['tex', 'ltx', 'latex'],
  mediaType: 'application/x-tex',
  content: 'text',
  unit: 'line',
  structure: {
    belongsToBefore: (line) => LABEL.test(line),
    startsSection: (line) => SECTION.test(line),
  },
};

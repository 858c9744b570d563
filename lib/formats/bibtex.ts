import type { Format } from './format.ts';

const ENTRY = /^\s*@\w+\s*[{(]/;

/** BibTeX references: text with TeX's accents. */
export const bibtex: Format<'bibtex', 'text'> = {
  name: 'bibtex',
  version: 1,
  title: 'BibTeX',
  extensions: ['bib'],
  mediaType: 'application/x-bibtex',
  rawType: () => 'text/plain',
  content: 'text',
  unit: 'line',
  structure: { belongsToBefore: () => false, startsSection: (line) => ENTRY.test(line) },
};

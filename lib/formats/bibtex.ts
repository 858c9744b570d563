import type { Format } from './format.ts';

const ENTRY = /^\s*@\w+\s*[{(]/;

/** BibTeX references: text with TeX's accents. Its entries describe other files, so it has no passages. */
export const bibtex: Format<'bibtex', 'text'> = {
  name: 'bibtex',
  version: 2,
  title: 'BibTeX',
  extensions: ['bib'],
  mediaType: 'application/x-bibtex',
  rawType: () => 'text/plain',
  content: 'text',
  unit: 'line',
  structure: { belongsToBefore: () => false, startsSection: (line) => ENTRY.test(line) },
};

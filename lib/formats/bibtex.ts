import type { Format } from './format.ts';

const ENTRY = /^\s*@\w+\s*[{(]/;

/** References in the form of BibTeX: text with the accents of TeX. */
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

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KnownFormat } from '../../../lib/formats/all-formats.ts';
import type { FilePart } from '../../../lib/ports/file-part.ts';
import { makePdf } from '../../support/samples/pdf.ts';

/** A small file of a format. */
export interface Sample {
  path: string;
  bytes: string | Uint8Array;
  /** A sentence of the file: the search query, and the expected quote of a citation. */
  says: string;
  /** The expected quote, if the sentence continues on the next line. */
  quote?: string;
  /** The line or page of the sentence, from 1. */
  at: number;
  /** Location of its passage in addition to its lines. */
  part?: FilePart;
  /** For a sheet: the rows of the quote within its passage. */
  quotedRows?: [number, number];
  /** The media type of the source in an answer. */
  citedAs: string;
  /** The content type of the raw file. */
  sentAs: string;
}

const SAYS = 'Apes climb high in the evening.';

/** Created with the library of each format: test/golden/documents/make.py. */
export function goldenPath(name: string): string {
  return resolve(import.meta.dirname, '../../golden/documents', name);
}

export function goldenDocument(name: string): Buffer {
  return readFileSync(goldenPath(name));
}

/** Returns one of these samples. Its citation has the same media type as its raw file. */
function golden(path: string, type: string, { at, ...others }: Pick<Sample, 'at'> & Partial<Sample>): Sample {
  return { path, bytes: goldenDocument(path), says: SAYS, at, citedAs: type, sentAs: type, ...others };
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

export const samples: Record<KnownFormat['name'], Sample> = {
  pdf: {
    path: 'apes.pdf',
    bytes: makePdf(['Bears swim far.', SAYS]),
    says: SAYS,
    at: 2,
    part: { page: 2 },
    citedAs: 'application/pdf',
    sentAs: 'application/pdf',
  },
  docx: golden('apes.docx', `${OFFICE}.wordprocessingml.document`, { at: 11 }),
  pptx: golden('apes.pptx', `${OFFICE}.presentationml.presentation`, { at: 3, part: { slide: 3 } }),
  xlsx: golden('apes.xlsx', `${OFFICE}.spreadsheetml.sheet`, {
    at: 1,
    says: 'ape climbs high in the evening | 12345678.5 |  | 2024-02-29 14:30',
    part: { sheet: 'Counts', rows: [1, 44], of: 44 },
    quotedRows: [40, 40],
  }),
  odt: golden('apes.odt', `${OPEN}.text`, { at: 3 }),
  odp: golden('apes.odp', `${OPEN}.presentation`, { at: 2, part: { slide: 2 } }),
  ods: golden('apes.ods', `${OPEN}.spreadsheet`, {
    at: 1,
    says: 'ape climbs high in the evening | 12345678.5 (12,345,679) | 2024-03-01 (01.03.24)',
    part: { sheet: 'Counts', rows: [1, 40], of: 40 },
    quotedRows: [40, 40],
  }),
  epub: golden('apes.epub', 'application/epub+zip', { at: 8 }),
  rtf: golden('apes.rtf', 'application/rtf', {
    ...{ at: 3, says: 'Apes climb high in', quote: 'Apes climb high in\nthe evening… €—ä😀 end.' },
  }),
  mail: golden('apes.eml', 'message/rfc822', { at: 6 }),
  mhtml: golden('apes.mhtml', 'message/rfc822', { at: 3 }),
  notebook: golden('apes.ipynb', 'application/x-ipynb+json', { at: 3, part: { cell: 3 } }),
  picture: {
    path: 'apes.png',
    bytes: goldenDocument('apes.png'),
    says: SAYS,
    at: 1,
    part: { page: 1, recognized: true },
    citedAs: 'image/png',
    sentAs: 'image/png',
  },
  latex: {
    path: 'apes.tex',
    bytes: `\\section{Bears}\nBears swim far.\n\n\\section{Apes}\n\\label{apes}\n${SAYS}\n`,
    says: SAYS,
    at: 6,
    citedAs: 'application/x-tex',
    sentAs: 'application/x-tex',
  },
  bibtex: {
    path: 'apes.bib',
    bytes: `@book{bears, note = {Bears swim far.}}\n\n@book{apes, author = {J{\\"u}rgen}, note = {\n${SAYS}\n}}\n`,
    says: SAYS,
    at: 4,
    citedAs: 'application/x-bibtex',
    sentAs: 'text/plain; charset=utf-8',
  },
  ris: {
    path: 'apes.ris',
    bytes: `TY  - BOOK\nTI  - Bears\nER  - \n\nTY  - BOOK\nTI  - Apes\nAB  - ${SAYS}\nER  - \n`,
    says: SAYS,
    at: 7,
    citedAs: 'application/x-research-info-systems',
    sentAs: 'text/plain; charset=utf-8',
  },
  html: {
    path: 'apes.html',
    bytes: `<h1>Bears &amp; apes</h1>\n<p>Bears swim <i>far</i>.</p>\n<p>${SAYS}</p>\n<script>apes()</script>`,
    says: SAYS,
    at: 3,
    citedAs: 'text/html',
    sentAs: 'text/html; charset=utf-8',
  },
  markdown: {
    path: 'apes.md',
    bytes: `# Bears\n\nBears swim far.\n\n# Apes\n\n${SAYS}\n`,
    says: SAYS,
    at: 7,
    citedAs: 'text/markdown',
    sentAs: 'text/markdown; charset=utf-8',
  },
  asciidoc: {
    path: 'apes.adoc',
    bytes: `= Bears\n\nBears swim far.\n\n== Apes\n\n${SAYS}\n`,
    says: SAYS,
    at: 7,
    citedAs: 'text/asciidoc',
    sentAs: 'text/plain; charset=utf-8',
  },
  restructuredtext: {
    path: 'apes.rst',
    bytes: `Bears\n~~~~~\n\nBears swim far.\n\nApes\n~~~~\n\n${SAYS}\n`,
    says: SAYS,
    at: 9,
    citedAs: 'text/x-rst',
    sentAs: 'text/plain; charset=utf-8',
  },
  org: {
    path: 'apes.org',
    bytes: `* Bears\nBears swim far.\n\n* Apes\n#+BEGIN_SRC sh\n# apes\n#+END_SRC\n- ${SAYS}\n`,
    says: `- ${SAYS}`,
    at: 8,
    citedAs: 'text/x-org',
    sentAs: 'text/x-org; charset=utf-8',
  },
  rows: {
    path: 'apes.csv',
    bytes: 'animal,does\nbear,swims far\nape,climbs high in the evening\n',
    says: 'ape,climbs high in the evening',
    at: 3,
    part: { of: 3 },
    citedAs: 'text/plain',
    sentAs: 'text/csv; charset=utf-8',
  },
  code: {
    path: 'apes.ts',
    bytes: `/** Bears swim far. */\nexport function swim() {}\n\n// ${SAYS}\nexport function climb() {}\n`,
    says: `// ${SAYS}`,
    at: 4,
    citedAs: 'text/plain',
    sentAs: 'text/plain; charset=utf-8',
  },
  text: {
    path: 'NOTES.txt',
    bytes: `Bears swim far.\n\n${SAYS}\n`,
    says: SAYS,
    at: 3,
    citedAs: 'text/plain',
    sentAs: 'text/plain; charset=utf-8',
  },
};

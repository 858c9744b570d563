import type { KnownFormat } from '../../../lib/formats/all-formats.ts';
import { makePdf } from '../../support/pdf.ts';

/** A small file of a format. */
export interface Sample {
  path: string;
  bytes: string | Uint8Array;
  /** A sentence of it. It is searched for, and it is what a citation quotes. */
  says: string;
  /** The line, page … where the sentence stands, from 1. */
  at: number;
  /** The media type that an answer names its source with. */
  citedAs: string;
  /** The content type that the file is sent with. */
  sentAs: string;
}

const SAYS = 'Apes climb high in the evening.';

export const samples: Record<KnownFormat['name'], Sample> = {
  pdf: {
    path: 'apes.pdf',
    bytes: makePdf(['Bears swim far.', SAYS]),
    says: SAYS,
    at: 2,
    citedAs: 'application/pdf',
    sentAs: 'application/pdf',
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
  rows: {
    path: 'apes.csv',
    bytes: 'animal,does\nbear,swims far\nape,climbs high in the evening\n',
    says: 'ape,climbs high in the evening',
    at: 3,
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

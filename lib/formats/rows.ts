import type { Format } from './format.ts';

/** Records, one a line. */
export const rows: Format<'rows', 'text'> = {
  name: 'rows',
  version: 2,
  title: 'rows of data',
  extensions: 'csv tsv jsonl ndjson log'.split(' '),
  mediaType: 'text/plain',
  content: 'text',
  unit: 'line',
};

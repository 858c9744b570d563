import type { Format } from './format.ts';

const MAX_HEADER_LENGTH = 2000;
const DELIMITERS = [',', '\t', ';', '|'];
/** A cell of a header row names a column. */
const NAME = /^["']?[\p{L}_][^"{}]*["']?$/u;

/** Records, one per line. */
export const rows: Format<'rows', 'text'> = {
  name: 'rows',
  version: 3,
  title: 'rows of data',
  extensions: 'csv tsv jsonl ndjson log'.split(' '),
  mediaType: 'text/plain',
  content: 'text',
  unit: 'line',
  linesAreRows: true,
  contexts(text) {
    const [header = '', row = ''] = text.slice(0, 2 * MAX_HEADER_LENGTH).split('\n', 2);
    const delimiter = DELIMITERS.find((each) => header.includes(each) && row.includes(each));
    if (delimiter === undefined || header.length > MAX_HEADER_LENGTH) return [];
    return header.split(delimiter).every((cell) => NAME.test(cell.trim()))
      ? [{ at: 0, text: header.trim() }]
      : [];
  },
};

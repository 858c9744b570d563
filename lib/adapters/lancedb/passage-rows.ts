import {
  Field,
  FixedSizeList,
  Float32,
  Int32,
  makeData,
  makeVector,
  Schema,
  Table,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { PassageRow } from '../../ports/vectors.ts';
import { searchableText } from './search-words.ts';

/** The columns of a passage, with how each is read from a row; `id` is the key and must not be null. */
const TEXTS = {
  id: (row: PassageRow) => `${row.path}#${row.chunk}`,
  path: (row: PassageRow) => row.path,
  file_hash: (row: PassageRow) => row.fileHash,
  text: (row: PassageRow) => row.text,
  search_text: (row: PassageRow) => searchableText(row.path, row.text),
};
const NUMBERS = {
  chunk: (row: PassageRow) => row.chunk,
  start_line: (row: PassageRow) => row.startLine,
  end_line: (row: PassageRow) => row.endLine,
  start_char: (row: PassageRow) => row.startChar,
  end_char: (row: PassageRow) => row.endChar,
  /** 0 where the file has no pages. */
  page: (row: PassageRow) => row.page ?? 0,
};

/** Makes `id` the unenforced primary key from the table's first commit on: merges are then free of duplicates. */
const KEY = new Map([['lance-schema:unenforced-primary-key', 'true']]);

export const passageSchema = new Schema([
  ...Object.keys(TEXTS).map((name) => new Field(name, new Utf8(), false, name === 'id' ? KEY : undefined)),
  ...Object.keys(NUMBERS).map((name) => new Field(name, new Int32(), false)),
]);

/** The vector column comes with the first vectors, for only they tell the dimensions. */
function vectorField(dimensions: number): Field {
  return new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), true);
}

/** Rows as one Arrow table: written two to three times faster than objects (31,000 to 46,000 rows/s, not 14,400). */
export function toArrow(rows: PassageRow[], dimensions: number | undefined): Table {
  const columns: Record<string, Vector> = {};
  for (const [name, read] of Object.entries(TEXTS))
    columns[name] = vectorFromArray(rows.map(read), new Utf8());
  for (const [name, read] of Object.entries(NUMBERS)) columns[name] = makeVector(Int32Array.from(rows, read));
  if (dimensions === undefined) return new Table(passageSchema, columns);
  columns.vector = vectorColumn(rows, dimensions);
  return new Table(new Schema([...passageSchema.fields, vectorField(dimensions)]), columns);
}

/** A vector of other dimensions than the table's counts as missing. */
function vectorColumn(rows: PassageRow[], dimensions: number): Vector {
  const values = new Float32Array(rows.length * dimensions);
  const valid = new Uint8Array(Math.ceil(rows.length / 8));
  let nullCount = 0;
  rows.forEach(({ vector }, index) => {
    if (vector?.length !== dimensions) {
      nullCount++;
      return;
    }
    values.set(vector, index * dimensions);
    valid[index >> 3] = (valid[index >> 3] ?? 0) | (1 << (index & 7));
  });
  const child = makeData({ type: new Float32(), data: values, length: values.length, nullCount: 0 });
  const type = vectorField(dimensions).type as FixedSizeList;
  return new Vector([makeData({ type, length: rows.length, nullCount, nullBitmap: valid, child })]);
}

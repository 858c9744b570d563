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
} from 'apache-arrow';
import type { PassageRow } from '../../ports/vectors.ts';
import { searchableText } from './search-words.ts';
import { rowId } from './stored-passage.ts';

/** The text columns of a passage, and how to read each from a row. `id` is the key and must not be null. */
const TEXTS = {
  id: rowId,
  path: (row: PassageRow) => row.path,
  file_hash: (row: PassageRow) => row.fileHash,
  text: (row: PassageRow) => row.text,
  search_text: (row: PassageRow) => searchableText(row),
  /** Stored as JSON; tables of layout 1 have `page` instead. */
  part: (row: PassageRow) => JSON.stringify(row.part),
  /** Missing in tables with layout 1. */
  context: (row: PassageRow) => row.context,
};
const NUMBERS = {
  chunk: (row: PassageRow) => row.chunk,
  start_line: (row: PassageRow) => row.startLine,
  end_line: (row: PassageRow) => row.endLine,
  start_char: (row: PassageRow) => row.startChar,
  end_char: (row: PassageRow) => row.endChar,
};
/** The number columns of layout 1. A file without pages has page 0. */
const FORMER_NUMBERS = { page: (row: PassageRow) => row.part.page ?? 0 };

/** Makes `id` the unenforced primary key in the table's first commit, so that no merge adds duplicates. */
const KEY = new Map([['lance-schema:unenforced-primary-key', 'true']]);

const textFields = Object.keys(TEXTS).map(
  (name) => new Field(name, new Utf8(), false, name === 'id' ? KEY : undefined),
);
const numberFields = (columns: object) =>
  Object.keys(columns).map((name) => new Field(name, new Int32(), false));

export const passageSchema = new Schema([...textFields, ...numberFields(NUMBERS)]);
const everyField = [...passageSchema.fields, ...numberFields(FORMER_NUMBERS)];

/**
 * Returns the vector column. It's added with the first vectors, because their number of dimensions isn't
 * known before.
 */
function vectorField(dimensions: number): Field {
  return new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), true);
}

/**
 * Converts rows to one Arrow table with the stored table's columns, and with vectors if dimensions are given.
 * Two to three times faster than passing objects (31,000 to 46,000 rows/s instead of 14,400).
 */
export function toArrow(
  rows: PassageRow[],
  { names, dimensions }: { names: string[]; dimensions: number | undefined },
): Table {
  const fields = everyField.filter(({ name }) => names.includes(name));
  const columns = fields.map(({ name }) => [name, columnOf(name, rows)] as const);
  if (dimensions === undefined) return new Table(new Schema(fields), Object.fromEntries(columns));
  const vectors = ['vector', vectorColumn(rows, dimensions)] as const;
  return new Table(
    new Schema([...fields, vectorField(dimensions)]),
    Object.fromEntries([...columns, vectors]),
  );
}

function columnOf(name: string, rows: PassageRow[]): Vector {
  const texts: Record<string, (row: PassageRow) => string> = TEXTS;
  const numbers: Record<string, (row: PassageRow) => number> = { ...NUMBERS, ...FORMER_NUMBERS };
  const text = texts[name];
  if (text !== undefined) return textColumn(rows.map(text));
  return makeVector(Int32Array.from(rows, numbers[name]));
}

/** Encodes all texts into one buffer, which takes a third of the time of Arrow's own builder. */
function textColumn(texts: string[]): Vector<Utf8> {
  const valueOffsets = new Int32Array(texts.length + 1);
  texts.forEach((text, index) => {
    valueOffsets[index + 1] = (valueOffsets[index] ?? 0) + Buffer.byteLength(text);
  });
  const data = Buffer.alloc(valueOffsets[texts.length] ?? 0);
  texts.forEach((text, index) => {
    data.write(text, valueOffsets[index] ?? 0);
  });
  const column = { type: new Utf8(), length: texts.length, nullCount: 0, valueOffsets, data };
  return makeVector(makeData(column));
}

/** Returns the vectors. One with another number of dimensions than the table's counts as missing. */
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

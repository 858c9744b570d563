import type { ForeignFile } from '../../isolation/program.ts';
import type { Column } from '../schema.ts';
import { rowCounter } from './counters.ts';
import { delimiterOf, readRecords } from './delimited.ts';
import { scanValues } from './json-values.ts';

type Row = Record<string, unknown>;

/** A range of a table's rows. */
export interface RowSpan {
  skip: number;
  count: number;
}

export interface SomeRows {
  columns: Column[];
  rows: Row[];
  /** Number of rows skipped before these. Lower than requested if the table ends earlier. */
  passed: number;
}

const FIRST_BYTES = 128 * 1024;
/** Maximum bytes of all rows. Of longer rows, only the start is shown. */
const MAX_BYTES = 16 * 1024 * 1024;
const PASSED_AT_ONCE = 4 * 1024 * 1024;

/**
 * Returns rows of a text table. Reads as much as the rows need, in at most four steps. To skip rows, it must
 * read everything before the first one.
 */
export async function readTextRows(
  file: ForeignFile,
  format: string,
  { skip, count }: RowSpan,
): Promise<SomeRows> {
  const { at, prefix, passed } = await passRows(file, format, skip);
  if (passed < skip) return { columns: [], rows: [], passed };
  for (let length = FIRST_BYTES; ; length *= 4) {
    const bytes = Buffer.from(await file.read(at, Math.min(file.size - at, length)));
    const partial = at + bytes.length < file.size;
    const found = parse(Buffer.concat([prefix, bytes]), format, { count, partial });
    if (!partial || found.rows.length >= count || length >= MAX_BYTES) return { ...found, passed };
  }
}

/**
 * Returns where the row after `skip` others starts, and the prefix that the file must have to be a table of
 * that format.
 */
async function passRows(file: ForeignFile, format: string, skip: number) {
  const ends: { first: number; wanted: number } = { first: 0, wanted: -1 };
  if (skip === 0) return { at: 0, prefix: Buffer.alloc(0), passed: 0 };
  const hasHeader = format === 'csv' || format === 'tsv';
  let seen = 0;
  const counter = rowCounter(format, (end) => {
    seen++;
    if (seen === 1) ends.first = end;
    if (seen === (hasHeader ? skip + 1 : skip)) ends.wanted = end;
  });
  for (let at = 0; at < file.size && ends.wanted < 0; at += PASSED_AT_ONCE)
    counter?.push(Buffer.from(await file.read(at, Math.min(PASSED_AT_ONCE, file.size - at))));
  if (ends.wanted < 0)
    return { at: file.size, prefix: Buffer.alloc(0), passed: Math.min(skip, counter?.end() ?? seen) };
  const beginning = Buffer.from(
    await file.read(0, hasHeader ? Math.min(ends.first, MAX_BYTES) : FIRST_BYTES),
  );
  const isArray = format === 'json' && decode(beginning).trimStart().startsWith('[');
  return { at: ends.wanted, prefix: hasHeader ? beginning : Buffer.from(isArray ? '[' : ''), passed: skip };
}

interface Wanted {
  count: number;
  /** True if the file continues after these bytes. */
  partial: boolean;
}

function parse(bytes: Buffer, format: string, wanted: Wanted): Omit<SomeRows, 'passed'> {
  if (format === 'jsonl') return fromValues(linesOf(bytes, wanted));
  if (format === 'json') return fromValues(valuesOf(bytes, wanted));
  const text = decode(bytes);
  const delimiter = delimiterOf(text, format);
  const [header = [], ...records] = readRecords(text, delimiter, {
    max: wanted.count + 1,
    partial: wanted.partial,
  });
  const names = uniqueNames(header);
  const rows = records.map((record) =>
    Object.fromEntries(names.map((name, index) => [name, record[index] ?? null])),
  );
  return { columns: names.map((name) => ({ name, type: typeOfTexts(rows.map((row) => row[name])) })), rows };
}

function decode(bytes: Buffer): string {
  return new TextDecoder().decode(bytes); // without a byte order mark
}

/** Makes names unique, because one column would hide another with the same name. */
function uniqueNames(header: string[]): string[] {
  const names = new Set<string>();
  for (const [index, text] of header.entries()) {
    const name = text.trim() || `column_${index + 1}`;
    let unique = name;
    for (let number = 2; names.has(unique); number++) unique = `${name}_${number}`;
    names.add(unique);
  }
  return [...names];
}

function* linesOf(bytes: Buffer, { count, partial }: Wanted): Generator<string> {
  let lines = 0;
  for (let start = 0; start < bytes.length && lines < count; ) {
    const newline = bytes.indexOf(10, start);
    if (newline < 0 && partial) return;
    const end = newline < 0 ? bytes.length : newline;
    const line = decode(bytes.subarray(start, end)).trim();
    start = end + 1;
    if (line === '') continue;
    lines++;
    yield line;
  }
}

const ENOUGH = Symbol('enough');

function valuesOf(bytes: Buffer, { count, partial }: Wanted): string[] {
  const found: string[] = [];
  const scan = scanValues((start, end) => {
    if (found.length === count) throw ENOUGH;
    found.push(decode(bytes.subarray(start, end)));
  });
  try {
    scan.push(bytes);
    if (!partial) scan.end();
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return found;
}

/**
 * Converts JSON values to rows. A value that isn't an object becomes the column `value`. A line that isn't
 * JSON is treated the same way, because it counts as a row.
 */
function fromValues(texts: Iterable<string>): Omit<SomeRows, 'passed'> {
  const rows = [...texts].map((text): Row => {
    const value = parseJson(text);
    return isObject(value) ? value : { value: value === undefined ? text : value };
  });
  const types = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const known = types.get(name) ?? new Set();
      types.set(name, known.add(typeOf(value)));
    }
  }
  return { columns: [...types].map(([name, known]) => ({ name, type: commonType(known) })), rows };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function commonType(types: Set<string>): string {
  const known = [...types].filter((type) => type !== 'null');
  if (known.length > 1)
    return known.every((type) => ['integer', 'number'].includes(type)) ? 'number' : 'mixed';
  return known[0] ?? 'null';
}

/**
 * Patterns of types, because delimited text has no types. A column has a type if all its cells that were read
 * match it, except empty cells and placeholders. The cells stay text.
 */
const LOOKS: [type: string, looks: RegExp][] = [
  ['bool', /^(?:true|false)$/i],
  // Numbers with a leading zero (postal codes), or with more digits than a double can represent, are text.
  ['integer', /^[+-]?(?:0|[1-9]\d{0,14})$/],
  ['number', /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i],
  ['date', /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/],
  [
    'timestamp',
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/,
  ],
];

const NOTHING = /^(?:|null|na|n\/a|nan|none)$/i;

function typeOfTexts(cells: unknown[]): string {
  const told = cells.map((cell) => String(cell ?? '').trim()).filter((text) => !NOTHING.test(text));
  if (told.length === 0) return 'string';
  return LOOKS.find(([, looks]) => told.every((text) => looks.test(text)))?.[0] ?? 'string';
}

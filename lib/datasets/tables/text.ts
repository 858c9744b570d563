import type { ForeignFile } from '../../isolation/program.ts';
import type { Column } from '../schema.ts';
import { delimiterOf, readRecords } from './delimited.ts';
import { scanValues } from './json-values.ts';
import { typeOfTexts } from './text-types.ts';

type Row = Record<string, unknown>;
export interface Beginning {
  columns: Column[];
  rows: Row[];
}

const FIRST_BYTES = 128 * 1024;
/** Rows longer than that together are shown as far as they go. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The first rows of a text table. Reads as much as they need, not more than four times. */
export async function readText(file: ForeignFile, format: string, count: number): Promise<Beginning> {
  for (let length = FIRST_BYTES; ; length *= 4) {
    const bytes = Buffer.from(await file.read(0, Math.min(file.size, length)));
    const partial = bytes.length < file.size;
    const beginning = parse(bytes, format, { count, partial });
    if (!partial || beginning.rows.length >= count || length >= MAX_BYTES) return beginning;
  }
}

interface Wanted {
  count: number;
  /** The file goes on after these bytes. */
  partial: boolean;
}

function parse(bytes: Buffer, format: string, wanted: Wanted): Beginning {
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

/** Columns of one name would hide each other. */
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

/** What is no JSON is left out; what is no object becomes the column `value`. */
function fromValues(texts: Iterable<string>): Beginning {
  const rows: Row[] = [];
  for (const text of texts) {
    const value = parseJson(text);
    if (value !== undefined) rows.push(isObject(value) ? value : { value });
  }
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

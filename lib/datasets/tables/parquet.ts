import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { Conflict } from '../../errors.ts';
import type { ForeignFile } from '../../isolation/program.ts';
import type { Column } from '../schema.ts';
import type { RowSpan, SomeRows } from './text.ts';

/** Maximum bytes of a file to read for a preview. A file with pages of gigabytes isn't shown. */
const MAX_BYTES = 48 * 1024 * 1024;
/** Maximum bytes of a footer, which describes the row groups. Useful files have far smaller ones. */
const MAX_FOOTER = 32 * 1024 * 1024;
const HEADER_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 1024 * 1024;

const compressors: Compressors = {
  GZIP: (bytes) => gunzipSync(bytes),
  BROTLI: (bytes) => brotliDecompressSync(bytes),
  ZSTD: (bytes) => zstdDecompressSync(bytes),
};

/**
 * Returns the number of rows from the footer, without reading data. Throws Conflict if the file isn't a parquet file.
 */
export async function readRowCount(file: ForeignFile): Promise<number> {
  return Number((await readMetadata(file)).num_rows);
}

async function readMetadata(file: ForeignFile): Promise<FileMetaData> {
  const { size } = file;
  if (size < 12) throw notParquet();
  const tail = Buffer.from(await readRange(file, size - 8, size));
  if (tail.toString('latin1', 4) !== 'PAR1') throw notParquet();
  const length = tail.readUInt32LE(0);
  if (length > size - 12) throw notParquet();
  if (length > MAX_FOOTER)
    throw new Conflict('dataset_preview_failed', 'The metadata of the Parquet file is too large to read.');
  try {
    // Reads exactly the footer. The library's default of half a megabyte is often too much.
    const options = { initialFetchSize: length + 8 };
    return await parquetMetadataAsync(toBuffer(file), options);
  } catch {
    throw notParquet();
  }
}

function notParquet(): Conflict {
  return new Conflict('dataset_preview_failed', "The file isn't a complete Parquet file.");
}

function toBuffer(file: ForeignFile): AsyncBuffer {
  return { byteLength: file.size, slice: (start, end = file.size) => readRange(file, start, end) };
}

async function readRange(file: ForeignFile, start: number, end: number): Promise<ArrayBuffer> {
  const length = Math.max(0, end - start);
  if (length > MAX_BYTES)
    throw new Conflict('dataset_preview_failed', 'The pages of the Parquet file are too large to show.');
  const { buffer, byteOffset, byteLength } = await file.read(start, length);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

/** Returns rows and columns. Reads the footer and, for each needed group of rows, the pages up to these rows. */
export async function readParquet(file: ForeignFile, { skip, count }: RowSpan): Promise<SomeRows> {
  const metadata = await readMetadata(file);
  const columns = parquetSchema(metadata).children.map(describeColumn);
  const rows: Record<string, unknown>[] = [];
  let before = skip;
  try {
    for (const group of metadata.row_groups) {
      const start = Math.min(before, Number(group.num_rows));
      const end = Math.min(start + count - rows.length, Number(group.num_rows));
      if (end > start) rows.push(...(await readGroup(file, metadata, group, { start, end })));
      before -= start;
      if (rows.length >= count) break;
    }
  } catch (error) {
    if (error instanceof Conflict) throw error;
    throw new Conflict(
      'dataset_preview_failed',
      "The Parquet file is damaged or uses an encoding that isn't supported.",
    );
  }
  return { columns, rows, passed: skip - before };
}

/** A range of rows, relative to the start of their row group. */
interface Part {
  start: number;
  end: number;
}

/**
 * Number of values to assume per row. A list may continue in the next page, so more pages are read until the
 * rows are complete.
 */
const VALUES_A_ROW = [1, 16, 256, Number.POSITIVE_INFINITY];

async function readGroup(
  file: ForeignFile,
  metadata: FileMetaData,
  group: RowGroup,
  { start, end }: Part,
): Promise<Record<string, unknown>[]> {
  const nested = group.columns.some(isNested(metadata));
  let rows: Record<string, unknown>[] = [];
  for (const perRow of nested ? VALUES_A_ROW : [1]) {
    const columns: ColumnChunk[] = [];
    for (const column of group.columns)
      columns.push(await cutChunk(file, column, isNested(metadata)(column) ? (end + 1) * perRow : end));
    const cut = { ...metadata, row_groups: [{ ...group, columns }] };
    rows = await readCut(toBuffer(file), cut, group, { start, end });
    if (rows.length >= end - start) return rows;
  }
  return rows;
}

function isNested(metadata: FileMetaData) {
  const repeated = new Set(
    parquetSchema(metadata)
      .children.filter(isRepeated)
      .map(({ element }) => element.name),
  );
  return ({ meta_data }: ColumnChunk) => repeated.has(meta_data?.path_in_schema[0] ?? '');
}

function isRepeated({ element, children }: SchemaTree): boolean {
  return element.repetition_type === 'REPEATED' || children.some(isRepeated);
}

/** Returns the chunk up to the page that completes `wanted` values, and never reads the rest. */
async function cutChunk(file: ForeignFile, chunk: ColumnChunk, wanted: number): Promise<ColumnChunk> {
  const meta = chunk.meta_data;
  if (meta === undefined)
    throw new Conflict('dataset_preview_failed', 'The Parquet file has a column without metadata.');
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const whole = Number(meta.total_compressed_size);
  let length = 0;
  for (let values = 0; values < wanted && length < whole; ) {
    const page = await readPageHeader(file, start + length, whole - length);
    length += page.bytes;
    values += page.values;
    if (length > MAX_BYTES)
      throw new Conflict('dataset_preview_failed', 'The pages of the Parquet file are too large to show.');
  }
  return { ...chunk, meta_data: { ...meta, total_compressed_size: BigInt(Math.min(length, whole)) } };
}

/** Reads a page header, in which statistics may be long. */
async function readPageHeader(file: ForeignFile, start: number, rest: number, bytes = HEADER_BYTES) {
  const view = new DataView(await readRange(file, start, start + Math.min(rest, bytes)));
  const reader = { view, offset: 0 };
  try {
    const { compressed_page_size, data_page_header, data_page_header_v2 } = parquetHeader(reader);
    if (compressed_page_size < 0)
      throw new Conflict('dataset_preview_failed', 'The Parquet file has a page with a negative size.');
    const values = data_page_header?.num_values ?? data_page_header_v2?.num_values ?? 0;
    return { bytes: reader.offset + compressed_page_size, values };
  } catch (error) {
    if (bytes >= Math.min(rest, MAX_HEADER_BYTES)) throw error;
    return readPageHeader(file, start, rest, bytes * 8);
  }
}

/** Reads the rows of a truncated group that are complete in every column. */
async function readCut(
  file: AsyncBuffer,
  metadata: FileMetaData,
  original: RowGroup,
  { start, end }: Part,
): Promise<Record<string, unknown>[]> {
  const ends = new Map<string, number>();
  const rows = await parquetReadObjects({
    file,
    metadata,
    compressors,
    rowStart: start,
    rowEnd: Math.min(end + 1, Number(original.num_rows)), // the next row shows that the last one is complete
    utf8: false,
    onChunk: ({ columnName, rowEnd }) => ends.set(columnName, Math.max(ends.get(columnName) ?? 0, rowEnd)),
  });
  const nested = isNested(metadata);
  const whole = original.columns.map((column, index) => {
    const name = column.meta_data?.path_in_schema[0] ?? '';
    const cut = metadata.row_groups[0]?.columns[index]?.meta_data?.total_compressed_size;
    const isCut = cut !== column.meta_data?.total_compressed_size;
    return (ends.get(name) ?? 0) - (isCut && nested(column) ? 1 : 0);
  });
  return rows.slice(0, Math.max(0, Math.min(end, ...whole) - start));
}

function describeColumn({ element, children }: SchemaTree): Column {
  const { name, type, converted_type, logical_type } = element;
  const logical = logical_type?.type ?? converted_type;
  if (logical !== undefined) return { name, type: nameType(logical) };
  if (children.length > 0) return { name, type: 'struct' };
  return { name, type: element.repetition_type === 'REPEATED' ? 'list' : nameType(type ?? 'unknown') };
}

const TYPE_NAMES: Record<string, string> = {
  UTF8: 'string',
  BYTE_ARRAY: 'binary',
  FIXED_LEN_BYTE_ARRAY: 'binary',
  BOOLEAN: 'bool',
  FLOAT: 'float32',
  DOUBLE: 'float64',
  INT96: 'timestamp',
  TIMESTAMP_MILLIS: 'timestamp',
  TIMESTAMP_MICROS: 'timestamp',
  INTEGER: 'integer',
};

function nameType(type: string): string {
  return TYPE_NAMES[type] ?? type.toLowerCase().replace('_', '');
}

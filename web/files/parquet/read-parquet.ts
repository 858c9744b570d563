import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { openByteRanges } from '../byte-ranges.ts';
import { cellText } from './cell-text.ts';

const BEGINNING = 64 * 1024;
const ROWS = 1_000;
/** A file whose pages are gigabytes is not shown. */
const MAX_READ = 48 * 1024 * 1024;

export interface ParquetTable {
  header: string[];
  rows: string[][];
  total: number;
}

export async function readParquet(
  workspaceId: string,
  path: string,
  signal: AbortSignal,
): Promise<ParquetTable> {
  const { size, read } = await openByteRanges(workspaceId, path, BEGINNING, signal);
  let left = MAX_READ;
  const file = {
    byteLength: size,
    slice: async (begin: number, end = size) => {
      left -= end - begin;
      if (left < 0) throw new RangeError(`> ${MAX_READ / 1024 / 1024} MB`);
      return (await read(begin, end)).buffer;
    },
  };
  const metadata = await parquetMetadataAsync(file);
  const header = parquetSchema(metadata).children.map(({ element }) => element.name);
  const total = Number(metadata.num_rows);
  const rows = await parquetReadObjects({ file, metadata, rowEnd: Math.min(ROWS, total) });
  return { header, total, rows: rows.map((row) => header.map((name) => cellText(row[name]))) };
}

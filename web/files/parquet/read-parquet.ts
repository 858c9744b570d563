import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { openByteRanges } from '../byte-ranges.ts';
import { cellText } from './cell-text.ts';

const BEGINNING = 64 * 1024;
const ROWS = 1_000;

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
  const file = {
    byteLength: size,
    slice: async (begin: number, end = size) => (await read(begin, end)).buffer,
  };
  const metadata = await parquetMetadataAsync(file);
  const header = parquetSchema(metadata).children.map(({ element }) => element.name);
  const total = Number(metadata.num_rows);
  const rows = await parquetReadObjects({ file, metadata, rowEnd: Math.min(ROWS, total) });
  return { header, total, rows: rows.map((row) => header.map((name) => cellText(row[name]))) };
}

import { type ForeignFile, isolatedProgram } from '../../isolation/program.ts';
import { countParquetRows, readParquet } from './parquet.ts';
import { showRow } from './show-row.ts';
import { readText, type SomeRows, type Span } from './text.ts';

/** The readers of tables, in a process of their own. */
export const program = isolatedProgram(import.meta, {
  readRows,
  countParquetRows: (_input: object, file: ForeignFile) => countParquetRows(file),
});

async function readRows(
  { format, ...span }: Span & { format: string },
  file: ForeignFile,
): Promise<SomeRows> {
  const read = format === 'parquet' ? readParquet(file, span) : readText(file, format, span);
  const { rows, ...found } = await read;
  return { ...found, rows: rows.map(showRow) };
}

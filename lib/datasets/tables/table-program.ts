import { type ForeignFile, isolatedProgram } from '../../isolation/program.ts';
import { countParquetRows, readParquet } from './parquet.ts';
import { showRow } from './show-row.ts';
import { type Beginning, readText } from './text.ts';

/** The readers of tables, in a process of their own. */
export const program = isolatedProgram(import.meta, {
  readBeginning,
  countParquetRows: (_input: object, file: ForeignFile) => countParquetRows(file),
});

async function readBeginning(
  { format, count }: { format: string; count: number },
  file: ForeignFile,
): Promise<Beginning> {
  const read = format === 'parquet' ? readParquet(file, count) : readText(file, format, count);
  const { columns, rows } = await read;
  return { columns, rows: rows.map(showRow) };
}

import { type ForeignFile, isolatedProgram } from '../../isolation/program.ts';
import { readParquet, readRowCount } from './parquet.ts';
import { showRow } from './show-row.ts';
import { type RowSpan, readTextRows, type SomeRows } from './text.ts';

/** The table readers, in a separate process. */
export const program = isolatedProgram(import.meta, {
  readRows,
  readRowCount: (_input: object, file: ForeignFile) => readRowCount(file),
});

async function readRows(
  { format, ...span }: RowSpan & { format: string },
  file: ForeignFile,
): Promise<SomeRows> {
  const read = format === 'parquet' ? readParquet(file, span) : readTextRows(file, format, span);
  const { rows, ...found } = await read;
  return { ...found, rows: rows.map(showRow) };
}

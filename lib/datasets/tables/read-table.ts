import type { FileHandle } from 'node:fs/promises';
import type { TaskOptions } from '../../isolation/isolated-process.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import type { RowSpan, SomeRows } from './text.ts';

const OPTIONS = { timeoutMs: 15_000, maxOutputBytes: 16 * 1024 * 1024 };

/**
 * Rows of a table, as they are shown. Reads no more of the file than the first rows need. Throws Conflict for what is no
 * such table, InvalidInput for one that takes too much time or memory, the signal's reason.
 */
export async function readRows(
  file: { handle: FileHandle; size: number },
  format: string,
  span: RowSpan,
  { whose = '', signal }: Pick<TaskOptions, 'whose' | 'signal'> = {},
): Promise<SomeRows> {
  const { program } = await import('./table-program.ts');
  return runIsolated(program, 'readRows', { format, ...span }, { ...OPTIONS, file, whose, signal });
}

/** The number of rows as the footer says, without looking at the data. Throws as readRows does. */
export async function countParquetRows(file: { handle: FileHandle; size: number }): Promise<number> {
  const { program } = await import('./table-program.ts');
  return runIsolated(program, 'readRowCount', {}, { ...OPTIONS, file });
}

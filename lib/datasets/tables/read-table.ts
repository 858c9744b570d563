import type { FileHandle } from 'node:fs/promises';
import type { TaskOptions } from '../../isolation/isolated-process.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import type { RowSpan, SomeRows } from './text.ts';

const OPTIONS = { timeoutMs: 15_000, maxOutputBytes: 16 * 1024 * 1024 };

/**
 * Returns rows of a table for display. Reads no more of the file than its first rows need. Throws Conflict if
 * the file isn't such a table, InvalidInput if reading takes too much time or memory, and the signal's
 * reason.
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

/** Returns the number of rows from the footer, without reading data. Throws the errors of readRows. */
export async function countParquetRows(file: { handle: FileHandle; size: number }): Promise<number> {
  const { program } = await import('./table-program.ts');
  return runIsolated(program, 'readRowCount', {}, { ...OPTIONS, file });
}

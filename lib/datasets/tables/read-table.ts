import type { FileHandle } from 'node:fs/promises';
import { runIsolated } from '../../isolation/run-isolated.ts';
import type { Beginning } from './text.ts';

const OPTIONS = { timeoutMs: 15_000, maxOutputBytes: 16 * 1024 * 1024 };

/**
 * The first rows of a table, as they are shown. Reads no more of the file than they need. Throws Conflict for what is no such
 * table, InvalidInput for one that takes too much time or memory.
 */
export async function readBeginning(
  file: { handle: FileHandle; size: number },
  format: string,
  count: number,
  whose = '',
): Promise<Beginning> {
  const { program } = await import('./table-program.ts');
  return runIsolated(program, 'readBeginning', { format, count }, { ...OPTIONS, file, whose });
}

/** As the footer says, without looking at the data. Throws as readBeginning does. */
export async function countParquetRows(file: { handle: FileHandle; size: number }): Promise<number> {
  const { program } = await import('./table-program.ts');
  return runIsolated(program, 'countParquetRows', {}, { ...OPTIONS, file });
}

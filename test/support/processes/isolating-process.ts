import type { FileHandle } from 'node:fs/promises';
import { runIsolated } from '../../../lib/isolation/run-isolated.ts';

/** A service whose isolated process never ends. Prints that process's ID first. */
const { program } = await import('./hostile-program.ts');
const pid = await runIsolated(program, 'pid', undefined, { timeoutMs: 30_000 });
const read = async () => {
  console.log(pid);
  return { bytesRead: 1 };
};
const file = { handle: { read } as unknown as FileHandle, size: 1 };
await runIsolated(program, 'readThenLoop', undefined, { timeoutMs: 600_000, file });

import { join } from 'node:path';
import { type ProgramResult, runProgram } from './run-program.ts';

/** Returns the results of the four calls of exhausted.ts, the last of which has descriptors again. */
export function runExhausted(what: 'isolated' | 'search'): Promise<ProgramResult> {
  const script = join(import.meta.dirname, 'exhausted.ts');
  const limited = ['-c', 'ulimit -n 200; exec "$0" --no-warnings "$@"', process.execPath, script, what];
  return runProgram('/bin/sh', limited);
}

import { isolatedProgram } from '../../isolation/program.ts';
import { type FoundRun, findRuns, type Wanted } from './find-runs.ts';

/** A separate process, because searching a large text takes seconds. */
export const program = isolatedProgram(import.meta, { findRunsIn });

/** `edges` has the start and the end of each readable run, alternately. */
function findRunsIn(input: { text: string; edges: Uint32Array; wanted: Wanted[] }): (FoundRun | undefined)[] {
  const { text, edges, wanted } = input;
  const runs = Array.from({ length: edges.length / 2 }, (_, at) => ({
    start: edges[at * 2] ?? 0,
    end: edges[at * 2 + 1] ?? 0,
  }));
  return findRuns({ text, runs }, wanted);
}

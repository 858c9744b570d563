import { makeParts, readParts, recallParts, summarizeParts, type TaskPart, type TaskPorts } from './parts.ts';
import { addToRun, endRun, parkTaskRun, type TaskRunEnd } from './runs.ts';
import { type TaskRun, taskRuns } from './schema.ts';
import { isOver } from './work-items.ts';

/** Maximum attempts, after which a part that kills its workers is dropped. */
export const MAX_ATTEMPTS_OF_PART = 3;

/**
 * Splits a run over all workspaces into one message per workspace, so that even the last workspace gets its
 * turn, and releases the run. Meanwhile, the tick enqueues the run again: it resends lost messages, and ends
 * the run if no part did.
 */
export async function spreadRun(ports: TaskPorts, run: TaskRun): Promise<void> {
  if (run.partsTotal === null) {
    const partsTotal = await makeParts(ports, run);
    await parkTaskRun(ports, run, { partsTotal });
    return endWhenDone(ports, run); // The parts may have been faster.
  }
  const parts = await readParts(ports, run.id);
  await recallParts(ports, run, parts);
  await parkTaskRun(ports, run, countsOf(parts));
  if (parts.every(isOver)) await endWhenDone(ports, run);
}

/**
 * Counts a part that ended. The process that counts the last part ends the run. If a crash loses a count, the
 * tick repairs it.
 */
export async function countPart(ports: TaskPorts, run: TaskRun, status: TaskRunEnd['status']): Promise<void> {
  const counted = await addToRun(ports, run, { partsDone: 1, partsFailed: status === 'error' ? 1 : 0 });
  if (counted === undefined || counted.partsTotal === null) return;
  if (counted.partsDone >= counted.partsTotal) await endWhenDone(ports, run);
}

async function endWhenDone(ports: TaskPorts, { taskId, id }: TaskRun): Promise<void> {
  const run = await taskRuns.get(ports.records, { taskId, id });
  if (run === undefined || isOver(run)) return;
  const parts = await readParts(ports, id);
  if (!parts.every(isOver)) return;
  await endRun(ports, run, { ...summarizeParts(parts), ...countsOf(parts) });
}

function countsOf(parts: TaskPart[]) {
  const over = parts.filter(isOver);
  const partsFailed = over.filter(({ status }) => status === 'error').length;
  return { partsTotal: parts.length, partsDone: over.length, partsFailed };
}

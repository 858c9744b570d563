import { isPartOver, makeParts, type PartPorts, readParts, recallParts, summarizeParts } from './parts.ts';
import { addToRun, endRun, isTaskRunOver, parkTaskRun, type TaskRunEnd } from './runs.ts';
import { type TaskRun, taskRuns } from './schema.ts';

/** A part that its workers do not survive is given up. */
export const MAX_ATTEMPTS_OF_PART = 3;

/**
 * Hands a run over all workspaces to as many messages, so that the last workspace has its turn too, and lets go of it. The
 * tick brings it again as long as it goes on: then what got lost is sent again, and the run ended when nobody else did.
 */
export async function spreadRun(ports: PartPorts, run: TaskRun): Promise<void> {
  if (run.partsTotal === null) {
    const partsTotal = await makeParts(ports, run);
    await parkTaskRun(ports, run, { partsTotal });
    return endWhenDone(ports, run); // the parts may have been faster
  }
  const parts = await readParts(ports, run.id);
  await recallParts(ports, run, parts);
  await parkTaskRun(ports, run, countsOf(parts));
  if (parts.every(isPartOver)) await endWhenDone(ports, run);
}

/** Counts a part that ended; whoever counts the last one ends the run. A count that a death swallows the tick makes good. */
export async function countPart(ports: PartPorts, run: TaskRun, status: TaskRunEnd['status']): Promise<void> {
  const counted = await addToRun(ports, run, { partsDone: 1, partsFailed: status === 'error' ? 1 : 0 });
  if (counted === undefined || counted.partsTotal === null) return;
  if (counted.partsDone >= counted.partsTotal) await endWhenDone(ports, run);
}

async function endWhenDone(ports: PartPorts, { taskId, id }: TaskRun): Promise<void> {
  const run = await taskRuns.get(ports.records, { taskId, id });
  if (run === undefined || isTaskRunOver(run.status)) return;
  const parts = await readParts(ports, id);
  if (!parts.every(isPartOver)) return;
  await endRun(ports, run, { ...summarizeParts(parts), ...countsOf(parts) });
}

function countsOf(parts: { status: string }[]) {
  const over = parts.filter(({ status }) => !['waiting', 'running'].includes(status));
  const partsFailed = over.filter(({ status }) => status === 'error').length;
  return { partsTotal: parts.length, partsDone: over.length, partsFailed };
}

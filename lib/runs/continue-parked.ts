import { Conflict } from '../errors.ts';
import { openApprovals } from './approvals.ts';
import type { RunPorts } from './ports.ts';
import { claimRun } from './runs.ts';
import { type Run, runs } from './schema.ts';
import { failRun, type RunWork, workOnRun } from './work-on-run.ts';

/**
 * Claims a suspended run for a worker. Undefined if another process works on it, or if it has ended or waits
 * for a person.
 */
export async function claimParked(ports: RunPorts, runId: string): Promise<Run | undefined> {
  const parked = await runs.get(ports.records, { id: runId });
  if (!parked?.parked || (await openApprovals(ports, runId)).length > 0) return undefined;
  return claimRun(ports, parked);
}

/**
 * Continues a suspended run to its next stop. Fails the run if its work can't be found because its workspace
 * or its request was deleted.
 */
export async function continueParkedRun(
  ports: RunPorts,
  runId: string,
  findWork: (run: Run) => Promise<RunWork>,
): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run === undefined) return;
  const work = await findWork(run).catch((error: unknown) => fail(ports, run, error));
  if (work !== undefined) await workOnRun(ports, work);
}

/**
 * For the worker: fails a run that is handed off endlessly and has only its records. Does nothing if another
 * process works on it, or if it has ended or waits.
 */
export async function failParkedRun(ports: RunPorts, runId: string, reason: string): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run !== undefined) await fail(ports, run, new Conflict('run_ended', `The run was ended: ${reason}`));
}

async function fail(ports: RunPorts, run: Run, error: unknown): Promise<undefined> {
  await failRun(ports, { run, steps: () => run.steps, forget: async () => {} }, error);
  return undefined;
}

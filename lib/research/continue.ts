import { claimParked } from '../agent/run/claim-parked.ts';
import { failRun, workOnRun } from '../agent/run/work-on-run.ts';
import type { Run } from '../agent/schema.ts';
import { Conflict, NotFound } from '../errors.ts';
import { findWorkspace } from '../workspaces/access.ts';
import type { ResearchPorts } from './ports.ts';
import { studies } from './run-records.ts';
import { type ResearchJob, researchWork } from './work/research-work.ts';

/** For the worker: continues a suspended research run to its next stop. */
export async function continueResearch(
  ports: ResearchPorts,
  runId: string,
  timeLeftMs: number,
): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run === undefined) return;
  const job = await findJob(ports, run, timeLeftMs).catch((error: unknown) => fail(ports, run, error));
  if (job !== undefined) await workOnRun(ports, researchWork(ports, job));
}

/** For the worker: fails a run that is handed off endlessly. Does nothing if another process has it, it is over, or it waits. */
export async function endParkedResearch(ports: ResearchPorts, runId: string, reason: string): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run !== undefined) await fail(ports, run, new Conflict('run_ended', `The run was ended: ${reason}`));
}

async function fail(ports: ResearchPorts, run: Run, error: unknown): Promise<undefined> {
  await failRun(ports, { run, steps: () => run.steps, forget: async () => {} }, error);
  return undefined;
}

async function findJob(ports: ResearchPorts, run: Run, timeLeftMs: number): Promise<ResearchJob> {
  const [workspace, request] = await Promise.all([
    findWorkspace(ports.records, run.rightsOf ?? run.caller, run.workspaceId),
    studies.get(ports.records, { runId: run.id }),
  ]);
  if (request === undefined)
    throw new NotFound('report_not_found', 'The request of this report no longer exists.');
  return { run, workspace, request, timeLeftMs };
}

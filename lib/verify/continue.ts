import { claimParked } from '../agent/run/claim-parked.ts';
import { failRun, workOnRun } from '../agent/run/work-on-run.ts';
import type { Run } from '../agent/schema.ts';
import { Conflict, NotFound } from '../errors.ts';
import { findWorkspace } from '../workspaces/access.ts';
import type { DraftCheckPorts } from './ports.ts';
import { checkRequests } from './run-records.ts';
import { readStoredDraft } from './stored-draft.ts';
import type { CheckJob } from './work/check.ts';
import { checkWork } from './work/check-work.ts';

/** For the worker: continues a suspended check to its next stop. */
export async function continueCheck(
  ports: DraftCheckPorts,
  runId: string,
  timeLeftMs: number,
): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run === undefined) return;
  const job = await findJob(ports, run, timeLeftMs).catch((error: unknown) => fail(ports, run, error));
  if (job !== undefined) await workOnRun(ports, checkWork(ports, job));
}

/** For the worker: fails a check that is handed off endlessly. Does nothing if another process has it, or it is over. */
export async function endParkedCheck(ports: DraftCheckPorts, runId: string, reason: string): Promise<void> {
  const run = await claimParked(ports, runId);
  if (run !== undefined) await fail(ports, run, new Conflict('run_ended', `The run was ended: ${reason}`));
}

async function fail(ports: DraftCheckPorts, run: Run, error: unknown): Promise<undefined> {
  await failRun(ports, { run, steps: () => run.steps, forget: async () => {} }, error);
  return undefined;
}

/** Whether the caller may still read every workspace is looked at again. */
async function findJob(ports: DraftCheckPorts, run: Run, timeLeftMs: number): Promise<CheckJob> {
  const request = await checkRequests.get(ports.records, { runId: run.id });
  if (request === undefined)
    throw new NotFound('draft_check_not_found', 'The request of this check no longer exists.');
  const caller = run.rightsOf ?? run.caller;
  const [workspaces, draft] = await Promise.all([
    Promise.all(request.workspaceIds.map((id) => findWorkspace(ports.records, caller, id))),
    readStoredDraft(ports, { runId: run.id, workspaceId: run.workspaceId }),
  ]);
  return { run, request, workspaces, draft, timeLeftMs };
}

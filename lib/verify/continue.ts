import { continueParkedRun } from '../runs/continue-parked.ts';
import type { Run } from '../runs/schema.ts';
import { findWorkspace } from '../workspaces/access.ts';
import { requireRequest } from './find-check.ts';
import type { DraftCheckPorts } from './ports.ts';
import type { FoundJob } from './work/check.ts';
import { checkWork } from './work/check-work.ts';

/** For the worker: continues a suspended check to its next stop. */
export function continueCheck(ports: DraftCheckPorts, runId: string, timeLeftMs: number): Promise<void> {
  return continueParkedRun(ports, runId, async (run) =>
    checkWork(ports, await findJob(ports, run, timeLeftMs)),
  );
}

/** Whether the caller may still read every workspace is looked at again. */
async function findJob(ports: DraftCheckPorts, run: Run, timeLeftMs: number): Promise<FoundJob> {
  const request = await requireRequest(ports.records, run);
  const caller = run.rightsOf ?? run.caller;
  const workspaces = await Promise.all(
    request.workspaceIds.map((id) => findWorkspace(ports.records, caller, id)),
  );
  return { run, request, workspaces, timeLeftMs };
}

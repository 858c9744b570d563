import { continueParkedRun } from '../agent/run/continue-parked.ts';
import type { Run } from '../agent/schema.ts';
import { NotFound } from '../errors.ts';
import { findWorkspace } from '../workspaces/access.ts';
import type { DraftCheckPorts } from './ports.ts';
import { checkRequests } from './run-records.ts';
import { readStoredDraft, type StoredDraft } from './stored-draft.ts';
import type { CheckJob } from './work/check.ts';
import { checkWork } from './work/check-work.ts';

/** For the worker: continues a suspended check to its next stop. */
export function continueCheck(ports: DraftCheckPorts, runId: string, timeLeftMs: number): Promise<void> {
  return continueParkedRun(ports, runId, async (run) =>
    checkWork(ports, await findJob(ports, run, timeLeftMs)),
  );
}

/** Undefined if the check that this one is a part of was deleted in the meantime. */
async function readWhole(ports: DraftCheckPorts, folder: string): Promise<StoredDraft | undefined> {
  return readStoredDraft(ports, { folder }).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
}

/** Whether the caller may still read every workspace is looked at again. */
async function findJob(ports: DraftCheckPorts, run: Run, timeLeftMs: number): Promise<CheckJob> {
  const request = await checkRequests.get(ports.records, { runId: run.id });
  if (request === undefined)
    throw new NotFound('draft_check_not_found', 'The request of this check no longer exists.');
  const caller = run.rightsOf ?? run.caller;
  const { wholeFolder: folder } = request;
  const [workspaces, draft, whole] = await Promise.all([
    Promise.all(request.workspaceIds.map((id) => findWorkspace(ports.records, caller, id))),
    readStoredDraft(ports, request),
    folder === undefined ? undefined : readWhole(ports, folder),
  ]);
  return { run, request, workspaces, draft, whole: whole?.text ?? draft.text, timeLeftMs };
}

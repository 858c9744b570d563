import { NotFound } from '../errors.ts';
import { placesOf } from '../retrieval/places.ts';
import { continueParkedRun } from '../runs/continue-parked.ts';
import type { Run } from '../runs/schema.ts';
import { findWorkspacesOf } from '../workspaces/all-workspaces.ts';
import type { ResearchPorts } from './ports.ts';
import { studies } from './run-records.ts';
import { type ResearchJob, researchWork } from './work/research-work.ts';

/** Continues a suspended research run to its next stop, for the worker. */
export function continueResearch(ports: ResearchPorts, runId: string, timeLeftMs: number): Promise<void> {
  return continueParkedRun(ports, runId, async (run) =>
    researchWork(ports, await findJob(ports, run, timeLeftMs)),
  );
}

async function findJob(ports: ResearchPorts, run: Run, timeLeftMs: number): Promise<ResearchJob> {
  const [found, request] = await Promise.all([
    findWorkspacesOf(ports.records, run.rightsOf ?? run.caller, run),
    studies.get(ports.records, { runId: run.id }),
  ]);
  if (request === undefined)
    throw new NotFound('report_not_found', 'The request of this report no longer exists.');
  return { run, ...placesOf(found), request, timeLeftMs };
}

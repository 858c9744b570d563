import type { RunPorts } from '../ports.ts';
import { type Run, runs } from '../schema.ts';
import { openApprovals } from './approvals.ts';
import { claimRun } from './runs.ts';

/** Claims a suspended run for a worker; undefined if another has it, it's over, or it waits for a person. */
export async function claimParked(ports: RunPorts, runId: string): Promise<Run | undefined> {
  const parked = await runs.get(ports.records, { id: runId });
  if (!parked?.parked || (await openApprovals(ports, runId)).length > 0) return undefined;
  return claimRun(ports, parked);
}

import { readSearchSpace } from '../../passages/search-space.ts';
import { timestamp } from '../../ports/clock.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type Plan, planned } from '../plan.ts';
import { recordSync } from '../record-sync.ts';
import { type Sync, syncs } from '../schema.ts';
import { unmarkSynced } from '../waiting-files.ts';

/**
 * Ends a sync that finds everything as it's indexed: at once, without waiting for the workspace's one writer, which
 * may do maintenance for minutes. False if there is something to write, or another space to switch to.
 */
export async function finishUnchanged(ports: TimedRecords, sync: Sync, plan: Plan): Promise<boolean> {
  const { workspaceId, syncId, planId, heartbeatAt } = sync;
  if (plan.batches > 0 || (await readSearchSpace(ports.records, workspaceId)) !== plan.space) return false;
  const finishedAt = timestamp(ports.clock);
  const done: Sync = { ...planned(sync, plan), status: 'ready', finishedAt, heartbeatAt: finishedAt };
  // Not if another plan of this sync came in between: its batches are in progress.
  if (!(await syncs.put(ports.records, done, { syncId, planId, heartbeatAt }))) return false;
  await unmarkSynced(ports, done);
  await recordSync(ports, done);
  return true;
}

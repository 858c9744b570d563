import { recordActivity, SERVICE } from '../activity/record.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Sync } from './schema.ts';

/** Records a sync as an activity, once, after the sync's end was stored. */
export async function recordSync(ports: TimedRecords, sync: Sync): Promise<void> {
  const { workspaceId, total, newCount, updatedCount, unchangedCount, removedCount, failedCount } = sync;
  const counts = { newCount, updatedCount, removedCount, failedCount };
  await recordActivity(ports, {
    workspaceId,
    kind: 'sync',
    actor: SERVICE,
    summary: `Synced ${total} files: ${newCount} new, ${updatedCount} updated, ${removedCount} removed, ${failedCount} failed`,
    details: { total, ...counts, unchangedCount },
  });
}

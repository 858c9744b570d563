import * as z from 'zod';
import { duePages } from '../../leases/due.ts';
import { timestamp, timestampSchema } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';
import { askForMaintenance } from '../enqueue.ts';

/**
 * Milliseconds to wait with a cleaning, in addition to the time for which old versions are kept, so that all
 * of them are old enough.
 */
const LATER_MS = 60_000;
const CLEANINGS = 'TABLE_CLEANING';

/** Tables with old versions, each with the time at which to remove them: a while after the latest write. */
export const pendingCleanings = collection({
  kind: 'pending-cleaning',
  schema: z.object({ workspaceId: z.string(), space: z.string(), dueAt: timestampSchema }),
  key: ({ workspaceId, space }: { workspaceId: string; space: string }) => ({
    partition: CLEANINGS,
    sort: `${workspaceId}#${space}`,
  }),
  index: ({ workspaceId, space, dueAt }) => ({
    partition: CLEANINGS,
    sort: `${dueAt}#${workspaceId}#${space}`,
  }),
});

type TableName = Parameters<typeof pendingCleanings.key>[0];

/**
 * Schedules the cleaning of a table for the time when the versions replaced so far are no longer needed. A
 * later write postpones it.
 */
export async function cleanLater(
  { records, clock }: TimedRecords,
  { workspaceId, space }: TableName,
  keepMs: number,
): Promise<void> {
  await pendingCleanings.put(records, { workspaceId, space, dueAt: timestamp(clock, keepMs + LATER_MS) });
}

/**
 * For the scheduler tick: requests maintenance of idle tables, which removes their old versions. Without it,
 * only further writes would remove them. Handles one page of tables, because each may take minutes. After an
 * interruption, it may request a cleaning twice.
 */
export async function cleanQuietTables(ports: TimedRecords & { maintainQueue: Queue }): Promise<void> {
  const { records, clock } = ports;
  // `$` sorts after the `#` that follows the time.
  const query = { partition: CLEANINGS, to: `${timestamp(clock)}$` };
  const { value: due = [] } = await duePages(records, pendingCleanings, query).next();
  await askForMaintenance(ports, due);
  await pendingCleanings.deleteMany(records, due);
}

/** Removes the scheduled cleanings of a deleted workspace. */
export async function dropCleanings(records: Records, workspaceId: string): Promise<void> {
  const { items } = await pendingCleanings.list(records, {
    partition: CLEANINGS,
    sortPrefix: `${workspaceId}#`,
  });
  await pendingCleanings.deleteMany(records, items);
}

import * as z from 'zod';
import { duePages } from '../../leases/due.ts';
import { timestamp, timestampSchema } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { collection } from '../../records/collection.ts';
import { askForMaintenance } from '../enqueue.ts';

/** Milliseconds by which a cleaning comes after the time for which something is kept, so that all of it is old enough. */
const LATER_MS = 60_000;
const CLEANINGS = 'TABLE_CLEANING';

/** Tables with old versions, and the time at which to remove these: a while after the latest write. */
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
 * Schedules the cleaning of a table for when what was replaced until now need no longer be kept. A later write postpones
 * it.
 */
export async function cleanLater(
  { records, clock }: TimedRecords,
  { workspaceId, space }: TableName,
  keepMs: number,
): Promise<void> {
  await pendingCleanings.put(records, { workspaceId, space, dueAt: timestamp(clock, keepMs + LATER_MS) });
}

/**
 * For the minute tick: requests maintenance of idle tables, which removes their old versions. Otherwise only further
 * writes would remove them. Handles one page of tables, because each may take minutes. If interrupted, it requests
 * twice.
 */
export async function cleanQuietTables(ports: TimedRecords & { maintainQueue: Queue }): Promise<void> {
  const { records, clock } = ports;
  const query = { partition: CLEANINGS, to: `${timestamp(clock)}$` }; // `$` comes after the `#` behind the time
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

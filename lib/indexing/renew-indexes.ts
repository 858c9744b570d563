import * as z from 'zod';
import { INDEXES, indexes } from '../passages/search-space.ts';
import type { Clock } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { UnreadableRecord } from '../records/readable.ts';
import { askForMaintenance } from './enqueue.ts';

/**
 * Raised when maintenance makes another kind of index of a table that has one, or of one that had none, or has other work to do
 * in every workspace.
 */
const KIND = 1;
const WORKSPACES_A_TICK = 100;

/** How far the workspaces have been asked to go over to the present kind. */
const renewals = collection({
  kind: 'index-renewal',
  schema: z.object({ kind: z.number().int(), cursor: z.string().optional(), done: z.boolean() }),
  key: (_: object) => ({ partition: 'INDEX_RENEWAL', sort: 'latest' }),
});

/**
 * For the scheduler tick: after an update that brings another kind of index, each workspace is maintained once, even if nothing
 * changes in it, 100 per minute. From then on it costs one read. If it is interrupted, some of them are asked twice.
 */
export async function renewIndexes({
  records,
  maintainQueue,
  clock,
}: {
  records: Records;
  maintainQueue: Queue;
  clock: Clock;
}): Promise<void> {
  const last = await readLast(records);
  const known = last !== undefined && last.kind >= KIND ? last : undefined;
  if (known?.done) return;
  const query = { partition: INDEXES, limit: WORKSPACES_A_TICK, cursor: known?.cursor };
  const { items, cursor } = await indexes.list(records, query);
  await askForMaintenance({ maintainQueue, clock }, items);
  await renewals.put(records, { kind: KIND, cursor, done: cursor === undefined });
}

/** An unreadable record only loses the position of the walk, which starts again. */
async function readLast(records: Records) {
  try {
    return await renewals.get(records, {});
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}

import * as z from 'zod';
import { INDEXES, indexes } from '../passages/search-space.ts';
import type { Clock } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { UnreadableRecord } from '../records/readable.ts';
import { askForMaintenance } from './enqueue.ts';

/**
 * Increase this version if maintenance builds another kind of index, with or without vectors, or has other
 * work to do in every workspace.
 */
const KIND = 1;
const WORKSPACES_A_TICK = 100;

/** The progress of moving workspaces to the current kind. */
const renewals = collection({
  kind: 'index-renewal',
  schema: z.object({ kind: z.number().int(), cursor: z.string().optional(), done: z.boolean() }),
  key: (_: object) => ({ partition: 'INDEX_RENEWAL', sort: 'latest' }),
});

/**
 * For the scheduler tick: after an update with another kind of index, maintains each workspace once, 100 per
 * minute, even if nothing changes in it. Costs one read when that is done. After an interruption, some
 * workspaces are maintained twice.
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

/** If a record is unreadable, only the walk's position is lost, and the walk restarts. */
async function readLast(records: Records) {
  try {
    return await renewals.get(records, {});
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined;
    throw error;
  }
}

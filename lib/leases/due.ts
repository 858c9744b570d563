import { type LogFields, log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { OutgoingMessage, Queue } from '../ports/queue.ts';
import type { RecordQuery, Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { Collection } from '../records/collection.ts';
import { pagesOf } from '../records/page.ts';

const PAGE = 100;

/** Where the index lists due records, and the highest sort key that is due now. */
type DueQuery = Pick<RecordQuery, 'partition' | 'to'>;

/** Yields due records in pages, for callers that send one batch of messages per page. */
export async function* duePages<Item, Id>(
  records: Records,
  collection: Collection<Item, Id>,
  query: DueQuery,
): AsyncGenerator<Item[]> {
  const list = (cursor?: string) =>
    collection.list(records, { ...query, byIndex: true, limit: PAGE, cursor });
  for await (const { items } of pagesOf(list)) yield items;
}

export interface Due<Item, Id> {
  collection: Collection<Item, Id>;
  query: DueQuery;
  /** Returns whether the record itself is still due, because the index lags behind the records. */
  isDue(item: Item): boolean;
  /** The log message if `recover` fails. */
  failure: string;
  about(item: Item): LogFields;
}

/**
 * For the scheduler tick: recovers each overdue record, and reads nothing else. `readAgain` returns the
 * record itself; undefined if it's no longer due. Several processes may find the same record, so `recover`
 * must require an unchanged record for a change that must happen once. A failing record doesn't delay the
 * others.
 */
export async function forEachDue<Item, Id>(
  records: Records,
  { collection, query, isDue, failure, about }: Due<Item, Id>,
  recover: (found: Item, readAgain: () => Promise<Item | undefined>) => Promise<void>,
): Promise<void> {
  for await (const page of duePages(records, collection, query))
    for (const found of page) {
      const readAgain = async () => {
        const item = await collection.get(records, found as unknown as Id);
        return item !== undefined && isDue(item) ? item : undefined;
      };
      try {
        await recover(found, readAgain);
      } catch (error) {
        log.error(failure, about(found), error);
      }
    }
}

export interface CallPorts extends TimedRecords {
  agentQueue: Queue;
}

interface WorkerCall<Item, Id> extends Pick<Due<Item, Id>, 'collection' | 'failure' | 'about'> {
  /** Where the index lists the records by `until`. */
  partition: string;
  /** Milliseconds until the next call, because a message may be lost, or may leave some work undone. */
  againMs: number;
  /** Returns whether work remains; by default, as long as the record exists. */
  isOpen?(item: Item): boolean;
  messageOf(item: Item): OutgoingMessage['body'];
}

/**
 * For the scheduler tick: calls a worker for due records, because only workers can access objects and files.
 * `until` is the time of the next call.
 */
export async function callWorkers<Item extends { until: string }, Id>(
  { records, clock, agentQueue }: CallPorts,
  { partition, againMs, isOpen = () => true, messageOf, ...due }: WorkerCall<Item, Id>,
): Promise<void> {
  const query = { partition, to: timestamp(clock) };
  const isDue = (item: Item) => isOpen(item) && item.until <= timestamp(clock);
  await forEachDue(records, { ...due, query, isDue }, async (_, readAgain) => {
    const found = await readAgain();
    if (found === undefined) return;
    const next = { until: timestamp(clock, againMs) } as Partial<Item>;
    await due.collection.patch(records, found, next, { until: found.until });
    await agentQueue.send([{ body: messageOf(found) }]);
  });
}

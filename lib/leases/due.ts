import { type LogFields, log } from '../log.ts';
import type { RecordQuery, Records } from '../ports/records.ts';
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
 * For the scheduler tick: recovers each overdue record, and reads nothing else. `readAgain` returns the record itself,
 * or undefined if it's no longer due. Several processes may find the same record, so a change by `recover` that must
 * happen once has to require an unchanged record. A failing record doesn't delay the others.
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

import { log } from '../log.ts';
import type { RecordQuery, Records } from '../ports/records.ts';
import type { Collection } from '../records/collection.ts';

const PAGE = 100;

interface Due<Item, Id> {
  collection: Collection<Item, Id>;
  /** The partition of the index that holds what becomes due, and the highest sort key that is due now. */
  query: Pick<RecordQuery, 'partition' | 'to'>;
  /** Whether it still is: the index lags behind the records. */
  isDue(item: Item): boolean;
  /** For the log, when `recover` fails. */
  failure: string;
  about(item: Item): Record<string, string>;
}

/**
 * For the minute tick: recovers each record that is overdue, and reads nothing else. `readAgain` answers the record itself, or
 * undefined when it's no longer due; only what `recover` does under an expectation on what was read happens once, although several
 * processes may find the same record. One that fails doesn't hold up the others.
 */
export async function forEachDue<Item, Id>(
  records: Records,
  { collection, query, isDue, failure, about }: Due<Item, Id>,
  recover: (found: Item, readAgain: () => Promise<Item | undefined>) => Promise<void>,
): Promise<void> {
  for await (const found of collection.all(records, { ...query, byIndex: true, limit: PAGE })) {
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

import type { Records } from '../ports/records.ts';

/**
 * Removes all records of a partition, page by page; the record with the sort key `last` after all others. Idempotent.
 */
export async function dropPartition(records: Records, partition: string, last?: string): Promise<void> {
  for (;;) {
    const page = await records.query({ partition, limit: 500 });
    const keys = page.records.map(({ key }) => key);
    if (keys.length === 0) return;
    const others = keys.filter(({ sort }) => sort !== last);
    await records.deleteMany(others.length > 0 ? others : keys);
  }
}

import type { Records } from '../ports/records.ts';

/** Removes all records of a partition, page by page. Idempotent. */
export async function dropPartition(records: Records, partition: string): Promise<void> {
  for (;;) {
    const page = await records.query({ partition, limit: 500 });
    if (page.records.length === 0) return;
    await records.deleteMany(page.records.map(({ key }) => key));
  }
}

import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type { Records } from '../../lib/ports/records.ts';
import { type Amounts, daysOfUse, type UseOfDay, usePartition } from '../../lib/usage/schema.ts';

/** Returns today's usage in the records of a service or a rig. */
export async function usesToday(store: string | Records): Promise<UseOfDay[]> {
  const records = typeof store === 'string' ? sqliteRecords(openDatabase(store)) : store;
  const found: UseOfDay[] = [];
  const partition = usePartition(new Date().toISOString().slice(0, 10));
  for await (const use of daysOfUse.all(records, { partition })) found.push(use);
  return found;
}

export function sumOf(uses: Amounts[], of: keyof Amounts): number {
  return uses.reduce((sum, use) => sum + use[of], 0);
}

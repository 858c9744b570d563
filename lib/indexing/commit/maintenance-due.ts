import type { PassageTable } from '../../ports/vectors.ts';

/**
 * The number of rows added since the last maintenance that triggers the next one. Text search over such rows
 * is slow: 0.8 s per query with 24,000 of them.
 */
const ROWS = 5000;
const COMMITS = 50;
/**
 * The share of the table that these rows must have, because maintenance rewrites the whole index. Without it,
 * maintenance after each 5,000 rows would make a first sync of 100,000 files rewrite ten times its rows,
 * which also stay on disk for a while; with it, the sync rewrites twice its rows.
 */
const SHARE = 0.5;
/**
 * The number of rows in the table for which one more commit may come between two maintenances. The number of
 * commits has a maximum, because each adds small files to read.
 */
const ROWS_PER_COMMIT = 500;
const MOST_COMMITS = 200;

/** Returns whether the rows and commits since the last maintenance justify another one. */
export async function isMaintenanceDue(
  { rows = 0, commits = 0 }: { rows?: number | undefined; commits?: number | undefined },
  table: Pick<PassageTable, 'count'>,
): Promise<boolean> {
  if (rows < ROWS && commits < COMMITS) return false;
  const total = await table.count();
  if (rows >= Math.max(ROWS, SHARE * (total - rows))) return true;
  return commits >= Math.min(MOST_COMMITS, Math.max(COMMITS, total / ROWS_PER_COMMIT));
}

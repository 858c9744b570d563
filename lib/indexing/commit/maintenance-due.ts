import type { PassageTable } from '../../ports/vectors.ts';

/**
 * The number of rows added since the last maintenance that triggers the next one. Text search over such rows is slow:
 * 0.8 s per query with 24,000 of them.
 */
const ROWS = 5000;
const COMMITS = 50;
/**
 * The share of the table that these rows must be, because maintenance rewrites the whole index. After each 5,000 rows,
 * a first sync of 100,000 files would rewrite ten times its rows, which also stay on the disk for a while; now twice.
 */
const SHARE = 0.5;
/** For each so many rows in the table, one more commit may come in between, up to a maximum of small files to read. */
const ROWS_PER_COMMIT = 500;
const MOST_COMMITS = 200;

/** Returns whether the rows and commits since the last maintenance are worth the next one. */
export async function isMaintenanceDue(
  { rows = 0, commits = 0 }: { rows?: number | undefined; commits?: number | undefined },
  table: Pick<PassageTable, 'count'>,
): Promise<boolean> {
  if (rows < ROWS && commits < COMMITS) return false;
  const total = await table.count();
  if (rows >= Math.max(ROWS, SHARE * (total - rows))) return true;
  return commits >= Math.min(MOST_COMMITS, Math.max(COMMITS, total / ROWS_PER_COMMIT));
}

import { InvalidInput } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { change } from '../records/change.ts';
import { rowsInOrder } from './contents.ts';
import { documentRows, type EvidenceTable, MAX_ROWS, tables } from './schema.ts';

/** Returns the records of these documents in a table, with those of removed ones. */
export function rowsAt(records: Records, tableId: string, paths: string[]) {
  return documentRows.getMany(
    records,
    paths.map((path) => ({ tableId, path })),
  );
}

/** Returns how many documents a table has room for. Trusts the stored number of rows only while there is room. */
export async function roomIn(
  records: Records,
  { id, rowCount }: EvidenceTable,
  wanted: number,
): Promise<number> {
  if (rowCount + wanted <= MAX_ROWS) return MAX_ROWS - rowCount;
  return Math.max(0, MAX_ROWS - (await rowsInOrder(records, id)).length);
}

/** Returns the change of a table that reserves rows. Throws InvalidInput if it has no room for them. */
export async function reserveRows(
  records: Records,
  before: EvidenceTable,
  added: number,
  removed = 0,
): Promise<Pick<EvidenceTable, 'rowCount' | 'nextRow'>> {
  const more = added - removed;
  if (more > 0 && more > (await roomIn(records, before, more)))
    throw new InvalidInput('invalid_value', `A table has at most ${MAX_ROWS} documents.`, {
      field: 'addRows',
    });
  return { rowCount: before.rowCount + more, nextRow: before.nextRow + added };
}

/** Stores rows for which the table has just reserved its last numbers. */
export async function putRows(
  records: Records,
  { id: tableId, nextRow }: EvidenceTable,
  paths: string[],
): Promise<void> {
  const first = nextRow - paths.length;
  await documentRows.putMany(
    records,
    paths.map((path, at) => ({ tableId, path, n: first + at, fileHash: null, isRemoved: false })),
  );
  await countRows(records, tableId);
}

export async function removeRows(records: Records, tableId: string, paths: string[]): Promise<void> {
  const there = await rowsAt(records, tableId, paths);
  await documentRows.putMany(
    records,
    there.map((row) => ({ ...row, isRemoved: true })),
  );
  await countRows(records, tableId);
}

/** Stores the number of rows, which differs from the reserved one if a process died, or if two removed the same row. */
async function countRows(records: Records, id: string): Promise<void> {
  await change(tables, records, { id }, async (before) => {
    const rowCount = (await rowsInOrder(records, id)).length;
    return before === undefined || before.rowCount === rowCount ? undefined : { rowCount };
  });
}

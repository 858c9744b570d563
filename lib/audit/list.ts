import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import { firstIdOf } from '../identifiers.ts';
import type { Records } from '../ports/records.ts';
import { requireIdCursor } from '../records/cursor.ts';
import { AUDIT, type AuditEntry, type AuditQuery, auditEntries } from './schema.ts';

const READ_AT_ONCE = 1000;
/**
 * The maximum number of entries to read for one page. If few match, a page may be short or empty and still
 * have a cursor.
 */
const MAX_LOOKED_AT = 10_000;

/**
 * Returns a page, newest first. Its cursor is a point in time, the same for every filter. Throws Forbidden,
 * InvalidInput.
 */
export async function listAudit(
  records: Records,
  caller: Caller,
  query: AuditQuery,
): Promise<{ items: AuditEntry[]; cursor?: string }> {
  requireAdminOfAll(caller);
  const items: AuditEntry[] = [];
  let looked = 0;
  let last: string | undefined;
  for await (const entry of entriesWithin(records, query)) {
    if (last !== undefined && (items.length === query.limit || looked === MAX_LOOKED_AT))
      return { items, cursor: last };
    looked += 1;
    last = entry.id;
    if (fits(entry, query)) items.push(entry);
  }
  return { items };
}

/** Yields the entries after the cursor, or from the end of the requested time. */
async function* entriesWithin(
  records: Records,
  { from = 0, to, cursor }: AuditQuery,
): AsyncGenerator<AuditEntry> {
  requireIdCursor(cursor);
  const end = to === undefined ? undefined : firstIdOf(to);
  const ends = [cursor, end].filter((id) => id !== undefined).sort();
  const query = { partition: AUDIT, order: 'descending' as const, limit: READ_AT_ONCE };
  const span = { from: firstIdOf(from), ...(ends[0] !== undefined && { to: ends[0] }) };
  for await (const entry of auditEntries.all(records, { ...query, ...span }))
    if (entry.id !== cursor) yield entry;
}

function fits({ actor, action }: AuditEntry, wanted: AuditQuery): boolean {
  if (wanted.actor !== undefined && actor !== wanted.actor) return false;
  return wanted.action === undefined || action === wanted.action || action.startsWith(`${wanted.action}.`);
}

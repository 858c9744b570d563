import { type Caller, isAdminOfAll, isWithinBounds, mayUse, requireRole } from '../access/caller.ts';
import { foldForSearch } from '../api-contract/fold-text.ts';
import { PEOPLE, type Person, people } from '../people/schema.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { invalidCursor } from '../records/cursor.ts';
import { callerOfToken, isValid } from './authorize.ts';
import type { ListedPerson, PeopleQuery } from './people-schema.ts';
import { BY_ID, type StoredToken, tokens } from './schema.ts';

/** Number of records per query. */
const READ_AT_ONCE = 500;
/** Maximum records to read per page. If few of them match, a page ends early, with a cursor. */
const MAX_LOOKED_AT = 5000;

/** A token or a person, and the position in the list that follows. */
interface Found {
  person: Omit<ListedPerson, 'reaches'>;
  workspaceIds: string[] | null;
  cursor: string;
}

/**
 * Lists callers that can be named: tokens, newest first, then known users and chat users, by ID. A
 * workspace-scoped administrator sees those whose credential covers no other workspaces, as in the list of
 * tokens. Throws Forbidden, and InvalidInput for a cursor from another list.
 */
export async function listPeople(
  ports: TimedRecords,
  caller: Caller,
  { limit, cursor, q = '', workspaceId }: PeopleQuery,
): Promise<{ items: ListedPerson[]; cursor?: string }> {
  requireRole(caller, 'admin');
  const items: ListedPerson[] = [];
  const wanted = foldForSearch(q);
  let looked = 0;
  let last: string | undefined;
  for await (const { person, workspaceIds, cursor: here } of allAfter(ports, readCursor(cursor))) {
    if (last !== undefined && (items.length === limit || looked === MAX_LOOKED_AT))
      return { items, cursor: last };
    looked += 1;
    last = here;
    if (!isWithinBounds(caller, workspaceIds) || !fits(person, wanted)) continue;
    items.push({ ...person, ...(workspaceId && { reaches: reaches(person, workspaceIds, workspaceId) }) });
  }
  return { items };
}

function fits({ id, name, email }: Found['person'], wanted: string): boolean {
  return [id, name ?? '', email ?? ''].some((text) => foldForSearch(text).includes(wanted));
}

function reaches({ id, role, state }: Found['person'], workspaceIds: string[] | null, workspaceId: string) {
  return state === 'active' && mayUse({ id, role, workspaceIds }, workspaceId);
}

type Source = 'token' | 'person';

async function* allAfter(ports: TimedRecords, after: { source: Source; id: string } | undefined) {
  if (after?.source !== 'person') yield* tokensAfter(ports, after?.id);
  yield* peopleAfter(ports.records, after?.source === 'person' ? after.id : undefined);
}

async function* tokensAfter({ records, clock }: TimedRecords, id: string | undefined): AsyncGenerator<Found> {
  const query = { partition: BY_ID, byIndex: true, order: 'descending' as const, limit: READ_AT_ONCE };
  for await (const token of tokens.all(records, { ...query, ...(id && { to: id }) }))
    if (token.id !== id) yield foundToken(token, clock.now());
}

function foundToken(token: StoredToken, now: number): Found {
  const { name, role, workspaceIds, lastUsedAt, revokedAt } = token;
  const person: Found['person'] = {
    ...{ id: callerOfToken(token).id, name, email: null, kind: 'token', role, seenAt: lastUsedAt },
    isGlobalAdmin: isAdminOfAll(token),
    state: isValid(token, now) ? 'active' : revokedAt === null ? 'expired' : 'revoked',
  };
  return { person, workspaceIds, cursor: makeCursor('token', token.id) };
}

/**
 * Yields the people after a position. Skips records about tokens, because the list has the tokens themselves,
 * with their state.
 */
async function* peopleAfter(records: Records, after: string | undefined): AsyncGenerator<Found> {
  const query = { partition: PEOPLE, limit: READ_AT_ONCE, ...(after && { from: after }) };
  for await (const person of people.all(records, query))
    if (person.id !== after && person.kind !== 'token') yield foundPerson(person);
}

function foundPerson({ workspaceIds, ...seen }: Person): Found {
  const { id, name, email, kind, role, seenAt } = seen;
  const isGlobalAdmin = isAdminOfAll({ role, workspaceIds });
  const person = { id, name, email, kind, role, seenAt, isGlobalAdmin, state: 'active' as const };
  return { person, workspaceIds, cursor: makeCursor('person', id) };
}

function makeCursor(source: Source, id: string): string {
  return Buffer.from(JSON.stringify([source, id])).toString('base64url');
}

function readCursor(cursor: string | undefined): { source: Source; id: string } | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [source, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if ((source === 'token' || source === 'person') && typeof id === 'string' && id !== '')
      return { source, id };
  } catch {
    // Text that isn't base64url of JSON is rejected below like any other invalid cursor.
  }
  throw invalidCursor();
}

import { isDeepStrictEqual } from 'node:util';
import type { Caller, Profile } from '../access/caller.ts';
import { waitUntil } from '../async/after-response.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { type Person, people } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * In milliseconds. If a person has two credentials with different claims, a process updates the record at
 * most once in this time.
 */
const CHANGES_MS = 60_000;
const MAX_REMEMBERED = 5000;

type Seen = Omit<Person, 'seenAt'>;

/** Callers that this process has recently recorded, so that their next requests cost nothing. */
const looked = new WeakMap<Records, Map<string, { seen: Seen; at: number }>>();

/**
 * Records a caller after the response. Costs one read per person, process, and day, and one write per person
 * and day, or when the name or rights change. A failure is logged and has no other effect.
 */
export function rememberPerson(ports: TimedRecords, caller: Caller, profile = caller.profile): void {
  if (profile === undefined) return;
  const seen = seenIn(caller, profile);
  const now = ports.clock.now();
  const known = lookedIn(ports.records);
  const before = known.get(seen.id);
  if (before !== undefined && now - before.at < waitAfter(before.seen, seen)) return;
  known.delete(seen.id);
  if (known.size >= MAX_REMEMBERED) known.delete(known.keys().next().value ?? '');
  known.set(seen.id, { seen, at: now });
  waitUntil('keeping the name of a caller', keepPerson(ports, seen));
}

function lookedIn(records: Records) {
  const known = looked.get(records) ?? new Map<string, { seen: Seen; at: number }>();
  looked.set(records, known);
  return known;
}

function waitAfter(before: Seen, seen: Seen): number {
  return isDeepStrictEqual(before, seen) ? DAY_MS : CHANGES_MS;
}

function seenIn({ id, role, workspaceIds, groups }: Caller, { kind, name, email }: Profile): Seen {
  const rights = { role, workspaceIds, ...(groups && { groups }) };
  return { id, kind, name: name ?? null, email: email ?? null, ...rights };
}

/** Stores a person. A credential without a name doesn't remove the name that another credential had. */
export async function keepPerson({ records, clock }: TimedRecords, seen: Seen): Promise<void> {
  const before = await people.get(records, seen);
  const now = {
    ...seen,
    name: seen.name ?? before?.name ?? null,
    email: seen.email ?? before?.email ?? null,
  };
  if (before !== undefined && isCurrent(before, now, clock.now())) return;
  await people.put(records, { ...before, ...now, seenAt: timestamp(clock) });
}

function isCurrent(before: Person, now: Seen, time: number): boolean {
  if (now.kind !== 'token' && time - Date.parse(before.seenAt) >= DAY_MS) return false;
  return isDeepStrictEqual({ ...before }, { ...before, ...now });
}

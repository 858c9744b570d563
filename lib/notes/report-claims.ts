import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Conflict } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { log } from '../log.ts';
import { ExpectationFailed } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import type { Period } from './period.ts';
import { notes } from './schema.ts';

/** A writer that is silent for this long counts as dead. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const LOOK_AGAIN_MS = 250;

/**
 * Records who is writing, or wrote, the report of a period. The id of its note is part of it, so that every writer creates the
 * same note.
 */
const reportClaims = collection({
  kind: 'report-claim',
  schema: z.object({
    workspaceId: z.string(),
    kind: z.enum(['daily', 'weekly']),
    firstDay: z.string(),
    noteId: z.string(),
    owner: z.string(),
    state: z.enum(['writing', 'written']),
    /** Milliseconds since the epoch. */
    leaseUntil: z.int(),
  }),
  key: ({ workspaceId, kind, firstDay }: { workspaceId: string; kind: string; firstDay: string }) => ({
    partition: reportsPartition(workspaceId),
    sort: `${kind}#${firstDay}`,
  }),
});
export type ReportClaim = NonNullable<Awaited<ReturnType<typeof reportClaims.get>>>;

export function reportsPartition(workspaceId: string): string {
  return `REPORT#${workspaceId}`;
}

/**
 * Claims the right to write the report of a period, or returns the id of the existing note. Waits while another writer is
 * working, and takes over from a dead writer. Throws Conflict if that takes longer than the signal allows.
 */
export async function claimReport(
  ports: TimedRecords,
  workspaceId: string,
  { kind, firstDay }: Period,
  signal: AbortSignal,
): Promise<{ claim: ReportClaim } | { noteId: string }> {
  const place = { workspaceId, kind, firstDay };
  for (;;) {
    const mine = newClaim(ports, place);
    if (await reportClaims.create(ports.records, mine)) return { claim: mine };
    const other = await reportClaims.get(ports.records, place);
    const outcome = other && (await settleWith(ports, mine, other));
    if (outcome !== undefined) return outcome;
    if (signal.aborted)
      throw new Conflict('report_in_progress', 'This report is being written. Try again later.');
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}

function newClaim({ clock }: TimedRecords, place: Pick<ReportClaim, 'workspaceId' | 'kind' | 'firstDay'>) {
  const leaseUntil = clock.now() + LEASE_MS;
  return { ...place, noteId: newId(), owner: randomUUID(), state: 'writing' as const, leaseUntil };
}

/** Returns undefined while another writer is alive and working. */
async function settleWith({ records, clock }: TimedRecords, mine: ReportClaim, other: ReportClaim) {
  const { owner, noteId, state, leaseUntil } = other;
  const isWriting = state === 'writing';
  if (isWriting && leaseUntil > clock.now()) return undefined;
  const note = await notes.get(records, { workspaceId: other.workspaceId, id: noteId });
  if (note !== undefined) return { noteId };
  // A dead writer's note keeps its id, because that writer may still be alive; a deleted note gets a new one.
  const claim = isWriting ? { ...mine, noteId } : mine;
  return (await reportClaims.put(records, claim, { owner, state, leaseUntil })) ? { claim } : undefined;
}

/** Runs the work and renews the claim. If the work fails, the claim is free for the next writer. */
export async function whileClaimed<Result>(
  ports: TimedRecords,
  claim: ReportClaim,
  work: () => Promise<Result>,
): Promise<Result> {
  const timer = setInterval(() => void setLease(ports, claim, ports.clock.now() + LEASE_MS), RENEW_MS);
  try {
    return await work();
  } catch (error) {
    clearInterval(timer);
    await setLease(ports, claim, 0); // kept, because the note may exist although its writer failed
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function setLease({ records }: TimedRecords, claim: ReportClaim, leaseUntil: number): Promise<void> {
  const { owner, noteId } = claim;
  try {
    await reportClaims.update(records, claim, { set: { leaseUntil } }, { owner, state: 'writing' });
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) log.error('a report claim was not kept', { noteId }, error);
  }
}

/** Marks the note as written. Does nothing if another writer took over, because that one finds the note too. */
export async function closeClaim({ records }: TimedRecords, claim: ReportClaim): Promise<void> {
  await reportClaims.put(records, { ...claim, state: 'written' }, { owner: claim.owner });
}

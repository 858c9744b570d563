import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Conflict } from '../errors.ts';
import { newId } from '../identifiers.ts';
import type { Held } from '../leases/hold.ts';
import { leasesOf } from '../leases/lease.ts';
import { log } from '../log.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import type { Period } from './period.ts';
import { notes } from './schema.ts';

/** Milliseconds of silence after which a writer counts as dead. */
const LEASE_MS = 30_000;
const MARGIN_MS = 5000;
const LOOK_AGAIN_MS = 250;

/**
 * Records who is writing, or wrote, the report of a period, with the ID of its note, so that every writer creates the
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

const reportLeases = leasesOf({
  collection: reportClaims,
  ms: LEASE_MS,
  owner: 'owner',
  until: 'leaseUntil',
  format: 'milliseconds',
});

export function reportsPartition(workspaceId: string): string {
  return `REPORT#${workspaceId}`;
}

/**
 * Claims the right to write the report of a period, or returns the ID of the existing note. Waits while another writer
 * is working, and takes over from a dead writer. Throws Conflict if that takes longer than the signal allows.
 */
export async function claimReport(
  ports: TimedRecords,
  workspaceId: string,
  { kind, firstDay }: Period,
  signal: AbortSignal,
): Promise<{ claim: ReportClaim } | { noteId: string }> {
  const place = { workspaceId, kind, firstDay };
  for (;;) {
    const mine = await reportLeases.create(ports, newClaim(place));
    if (mine !== undefined) return { claim: mine };
    const other = await reportClaims.get(ports.records, place);
    const outcome = other && (await settleWith(ports, other));
    if (outcome !== undefined) return outcome;
    if (signal.aborted)
      throw new Conflict('report_in_progress', 'This report is being written. Try again later.');
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}

function newClaim(place: Pick<ReportClaim, 'workspaceId' | 'kind' | 'firstDay'>): ReportClaim {
  return { ...place, noteId: newId(), owner: '', state: 'writing', leaseUntil: 0 };
}

/** Returns undefined while the other writer is working. */
async function settleWith(ports: TimedRecords, other: ReportClaim) {
  const { workspaceId, noteId, state } = other;
  const isWriting = state === 'writing';
  if (isWriting && reportLeases.isHeld(other, ports.clock)) return undefined;
  const note = await notes.get(ports.records, { workspaceId, id: noteId });
  if (note !== undefined) return { noteId };
  // A dead writer's note keeps its ID, because the writer may turn out to be alive. A deleted note gets a new
  // ID.
  const set = { state: 'writing' as const, noteId: isWriting ? noteId : newId() };
  const claim = await reportLeases.take(ports, other, { set, expect: { state } });
  return claim && { claim };
}

/**
 * Runs the work while the claim is held. If the work fails, the claim becomes free for the next writer.
 * Throws LeaseLost.
 */
export async function whileClaimed<Result>(
  ports: TimedRecords,
  claim: ReportClaim,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  const about = { noteId: claim.noteId };
  const held = reportLeases.hold(ports, claim, { marginMs: MARGIN_MS, expect: { state: 'writing' }, about });
  try {
    return await work(held);
  } catch (error) {
    held.stop();
    await freeClaim(ports, claim);
    throw held.signal.aborted ? held.signal.reason : error;
  } finally {
    held.stop();
  }
}

/**
 * Frees the claim. The record stays, because the note may exist although its writer failed. It has no owner,
 * so a late renewal can't restore the claim.
 */
export async function freeClaim(ports: TimedRecords, claim: ReportClaim): Promise<void> {
  try {
    await reportLeases.leave(ports, claim, { ms: 0, expect: { state: 'writing' } });
  } catch (error) {
    log.error('a report claim was not freed', { noteId: claim.noteId }, error);
  }
}

/**
 * Marks the note as written. Does nothing if another writer took over, because that writer finds the note
 * too.
 */
export async function closeClaim({ records }: TimedRecords, claim: ReportClaim): Promise<void> {
  await reportClaims.patch(records, claim, { state: 'written' }, { owner: claim.owner });
}

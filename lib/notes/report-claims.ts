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

/** A writer that is silent for this long is taken for dead. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const LOOK_AGAIN_MS = 250;

/** Who writes, or wrote, the report of a period. Its note's id is fixed with it: whoever writes, it is one note. */
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
 * The right to write the report of a period, or the id of the note that there is. While another writes, waits for what
 * comes of it; a writer that died is taken over from. Throws Conflict when that takes longer than the signal allows.
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

/** Undefined while another lives and writes. */
async function settleWith({ records, clock }: TimedRecords, mine: ReportClaim, other: ReportClaim) {
  const { owner, noteId, state, leaseUntil } = other;
  const isWriting = state === 'writing';
  if (isWriting && leaseUntil > clock.now()) return undefined;
  const note = await notes.get(records, { workspaceId: other.workspaceId, id: noteId });
  if (note !== undefined) return { noteId };
  // A dead writer's note keeps its id, for it may not be dead after all; one that was deleted is written anew.
  const claim = isWriting ? { ...mine, noteId } : mine;
  return (await reportClaims.put(records, claim, { owner, state, leaseUntil })) ? { claim } : undefined;
}

/** Does the work while the claim is kept alive. When it fails, the claim is free for the next. */
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
    await setLease(ports, claim, 0); // kept, for the note may be there although its writer failed
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

/** Its note is there. Not ours to say any more when another took over, who finds the note too. */
export async function closeClaim({ records }: TimedRecords, claim: ReportClaim): Promise<void> {
  await reportClaims.put(records, { ...claim, state: 'written' }, { owner: claim.owner });
}

import * as z from 'zod';
import { ownerKey } from '../access/owner-key.ts';
import { Conflict } from '../errors.ts';
import { expiryAfter, timestamp } from '../ports/clock.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import { isRunOver, KEEP_RUN_SECONDS, runs } from '../runs/schema.ts';

/** Checks of one caller that are not over yet. */
const MAX_UNFINISHED = 10;
/** A check has a slot before it has a run. A start that was cut short never gets one. */
const START_MS = 5 * 60_000;

/** One of the unfinished checks of a caller. Each write has an expectation, so that parallel starts can't take one twice. */
const draftSlots = collection({
  kind: 'draft-slot',
  schema: z.object({
    ownerId: z.string(),
    slot: z.int(),
    runId: z.string(),
    takenAt: z.string(),
    expiresAt: z.int(),
  }),
  key: ({ ownerId, slot }: { ownerId: string; slot: number }) => ({
    partition: slotsPartition(ownerId),
    sort: `${slot}`.padStart(3, '0'),
  }),
  expiresAt: ({ expiresAt }) => expiresAt,
});
type DraftSlot = NonNullable<Awaited<ReturnType<typeof draftSlots.get>>>;

function slotsPartition(ownerId: string): string {
  return `DRAFT_SLOTS#${ownerKey(ownerId)}`;
}

/** Takes a slot for a check that starts. Throws Conflict if the caller has too many unfinished checks. */
export async function takeSlot(ports: TimedRecords, ownerId: string, runId: string): Promise<void> {
  const { records, clock } = ports;
  const known = (await draftSlots.list(records, { partition: slotsPartition(ownerId) })).items;
  const taken = { runId, takenAt: timestamp(clock), expiresAt: expiryAfter(clock, KEEP_RUN_SECONDS) };
  const bySlot = new Map(known.map((each) => [each.slot, each]));
  for (let slot = 0; slot < MAX_UNFINISHED; slot++) {
    const before = bySlot.get(slot);
    const isTaken =
      before === undefined
        ? await draftSlots.create(records, { ...taken, ownerId, slot })
        : (await isFree(ports, before, runId)) &&
          (await draftSlots.patch(records, before, taken, { runId: before.runId, takenAt: before.takenAt }));
    if (isTaken) return;
  }
  throw new Conflict(
    'too_many_draft_checks',
    `You already have ${MAX_UNFINISHED} checks that are not over. Wait for one, or stop it.`,
  );
}

async function isFree({ records, clock }: TimedRecords, slot: DraftSlot, runId: string): Promise<boolean> {
  if (slot.runId === runId) return true;
  const run = await runs.get(records, { id: slot.runId });
  if (run !== undefined) return isRunOver(run.status);
  return Date.parse(slot.takenAt) + START_MS < clock.now();
}

/** For a check that didn't start. */
export async function leaveSlot(records: Records, ownerId: string, runId: string): Promise<void> {
  const { items } = await draftSlots.list(records, { partition: slotsPartition(ownerId) });
  for (const slot of items)
    if (slot.runId === runId) await ifExpected(draftSlots.delete(records, slot, { runId }));
}

import * as z from 'zod';
import { ownerKey } from '../access/owner-key.ts';
import { bytesKeptOf } from '../conversations/attachments/keep.ts';
import { conversationFolder } from '../conversations/attachments/schema.ts';
import type { Conversation } from '../conversations/schema.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict } from '../errors.ts';
import { forEachDue } from '../leases/due.ts';
import { timestamp } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { framesPartition } from '../run-events/schema.ts';
import { isRunOver, KEEP_RUN_SECONDS, runs, runsPartition } from '../runs/schema.ts';
import { steps, stepsOf } from '../runs/steps/step-records.ts';
import { checkParts, checkPartsOf, checkRequests, verdictBatches, verdictsOf } from './run-records.ts';

const DUE = 'DRAFTS_DUE';
/** A day longer than its run. */
const KEPT_MS = KEEP_RUN_SECONDS * 1000 + 24 * 60 * 60 * 1000;
/** A message that was lost is sent again after this time. */
const AGAIN_MS = 60 * 60 * 1000;
/** Checks of one caller that are not over yet. */
const MAX_UNFINISHED = 10;
/** A draft is kept before its check has a run. A start that was cut short never gets one. */
const START_MS = 5 * 60_000;

/** The draft of a check, which counts toward the quota of the caller who started it until it is removed. */
export const keptDrafts = collection({
  kind: 'kept-draft',
  schema: z.object({
    ownerId: z.string(),
    runId: z.string(),
    folder: z.string(),
    bytes: z.int(),
    /** When it is removed. */
    until: z.string(),
    /** Whether its check is known to be over. */
    isOver: z.boolean().default(false),
  }),
  key: ({ ownerId, runId }: { ownerId: string; runId: string }) => ({
    partition: ownerPartition(ownerId),
    sort: runId,
  }),
  index: ({ runId, until }) => ({ partition: DUE, sort: `${until}#${runId}` }),
});
type KeptDraft = NonNullable<Awaited<ReturnType<typeof keptDrafts.get>>>;

function ownerPartition(ownerId: string): string {
  return `DRAFTS_OF#${ownerKey(ownerId)}`;
}

/** The codes of a draft that has no room. */
export const KEEP_DRAFT_ERRORS = [
  'attachments_quota_used_up',
  'too_many_draft_checks',
] as const satisfies ErrorCode[];

type Noted = Pick<KeptDraft, 'ownerId' | 'runId' | 'folder' | 'bytes'>;

/**
 * Notes that a draft is kept, before it is stored. It is noted before the limits are read: of parallel starts, each counts the others.
 * Throws Conflict if the caller has used up the quota for attachments and drafts, or has too many unfinished checks.
 */
export async function noteKeptDraft(
  ports: TimedRecords & { objects: Objects; attachmentQuotaBytes?: number | undefined },
  draft: Noted,
): Promise<void> {
  const { records, clock, attachmentQuotaBytes = Number.POSITIVE_INFINITY } = ports;
  const { ownerId, runId } = draft;
  await keptDrafts.put(records, { ...draft, until: timestamp(clock, KEPT_MS), isOver: false });
  let [kept, unfinished] = [await bytesKeptOf(records, ownerId), 0];
  for await (const each of keptDrafts.all(records, { partition: ownerPartition(ownerId), limit: 1000 })) {
    kept += each.bytes;
    if (await isUnfinished(ports, each)) unfinished += 1;
  }
  if (unfinished <= MAX_UNFINISHED && kept <= attachmentQuotaBytes) return;
  await dropDraft(ports, ownerId, runId);
  throw unfinished > MAX_UNFINISHED ? tooMany() : overQuota();
}

async function isUnfinished({ records, clock }: TimedRecords, kept: KeptDraft): Promise<boolean> {
  if (kept.isOver) return false;
  const run = await runs.get(records, { id: kept.runId });
  if (run === undefined) return Date.parse(kept.until) - KEPT_MS + START_MS >= clock.now();
  if (!isRunOver(run.status)) return true;
  await keptDrafts.patch(records, kept, { isOver: true }, { until: kept.until });
  return false;
}

function tooMany(): Conflict {
  return new Conflict(
    'too_many_draft_checks',
    `You already have ${MAX_UNFINISHED} checks that are not over. Wait for one, or stop it.`,
  );
}

function overQuota(): Conflict {
  return new Conflict(
    'attachments_quota_used_up',
    'Your attachments and drafts would be over the quota. Delete conversations or checks that you no longer need, or ask an administrator to raise ATTACHMENTS_QUOTA_MB.',
  );
}

/** Runs every minute: has a worker, which has the objects, remove drafts that are no longer kept. */
export async function sweepDrafts({
  records,
  clock,
  agentQueue,
}: TimedRecords & { agentQueue: Queue }): Promise<void> {
  const due = {
    collection: keptDrafts,
    query: { partition: DUE, to: timestamp(clock) },
    isDue: ({ until }: KeptDraft) => until <= timestamp(clock),
    failure: 'an old draft could not be swept',
    about: ({ runId }: KeptDraft) => ({ runId }),
  };
  await forEachDue(records, due, async (_, readAgain) => {
    const found = await readAgain();
    if (found === undefined) return;
    await keptDrafts.patch(records, found, { until: timestamp(clock, AGAIN_MS) }, { until: found.until });
    await agentQueue.send([{ body: { runId: found.runId, draftOf: found.ownerId } }]);
  });
}

/**
 * Removes a draft and what was found about it, for the worker that `sweepDrafts()` asks, and for a check that is deleted. Idempotent.
 */
export async function dropDraft(
  { records, objects }: { records: Records; objects: Objects },
  ownerId: string,
  runId: string,
): Promise<void> {
  const kept = await keptDrafts.get(records, { ownerId, runId });
  if (kept !== undefined) {
    await objects.deletePrefix(kept.folder);
    await keptDrafts.delete(records, kept);
  }
  await forgetFindings(records, runId);
}

/** For a deleted conversation, whose objects are removed with its attachments. Idempotent. */
export async function dropDraftsIn(
  records: Records,
  { ownerId, workspaceId, key }: Pick<Conversation, 'ownerId' | 'workspaceId' | 'key'>,
): Promise<void> {
  const above = conversationFolder({ workspaceId, key });
  for await (const kept of keptDrafts.all(records, { partition: ownerPartition(ownerId), limit: 100 })) {
    if (!kept.folder.startsWith(above)) continue;
    await forgetFindings(records, kept.runId);
    await keptDrafts.delete(records, kept);
  }
}

/** For a deleted workspace, whose objects are removed with its attachments. Its run stays listed. */
export async function dropDrafts(records: Records, workspaceId: string): Promise<void> {
  const query = { partition: runsPartition(workspaceId), byIndex: true, limit: 100 };
  for await (const { id, verifies, caller } of runs.all(records, query)) {
    if (!verifies) continue;
    await forgetFindings(records, id);
    await keptDrafts.delete(records, { ownerId: caller.id, runId: id });
  }
}

/**
 * Removes what was found about a draft: verdicts, suggestions, what the judge answered, and the run's events, which have the verdicts
 * without quotes. Its run stays. Idempotent.
 */
async function forgetFindings(records: Records, runId: string): Promise<void> {
  for await (const step of steps.all(records, stepsOf(runId))) await steps.delete(records, step);
  for await (const batch of verdictBatches.all(records, verdictsOf(runId)))
    await verdictBatches.delete(records, batch);
  await dropPartition(records, framesPartition(runId));
  for await (const part of checkParts.all(records, checkPartsOf(runId)))
    await checkParts.delete(records, part);
  await checkRequests.delete(records, { runId }); // last: until then it can be deleted again
}

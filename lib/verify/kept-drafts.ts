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
import { KEEP_RUN_SECONDS, runs, runsPartition } from '../runs/schema.ts';
import { steps, stepsOf } from '../runs/steps/step-records.ts';
import { checkParts, checkPartsOf, checkRequests, verdictBatches, verdictsOf } from './run-records.ts';

const DUE = 'DRAFTS_DUE';
const DAY_MS = 24 * 60 * 60 * 1000;
/** A message that was lost is sent again after this time. */
const AGAIN_MS = 60 * 60 * 1000;

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
 * Notes that a draft is kept, before it is stored. It is noted before the quota is read: of parallel starts, each counts the others.
 * Throws Conflict if the caller has used up the quota for attachments and drafts.
 */
export async function noteKeptDraft(
  ports: TimedRecords & { objects: Objects; attachmentQuotaBytes?: number | undefined },
  draft: Noted,
): Promise<void> {
  const { records, clock, attachmentQuotaBytes = Number.POSITIVE_INFINITY } = ports;
  const { ownerId, runId } = draft;
  const until = timestamp(clock, KEEP_RUN_SECONDS * 1000 + DAY_MS);
  await keptDrafts.put(records, { ...draft, until });
  let kept = 0;
  for await (const { bytes } of keptDrafts.all(records, { partition: ownerPartition(ownerId), limit: 1000 }))
    kept += bytes;
  if (kept + (await bytesKeptOf(records, ownerId)) <= attachmentQuotaBytes) return;
  await dropDraft(ports, ownerId, runId);
  throw new Conflict(
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

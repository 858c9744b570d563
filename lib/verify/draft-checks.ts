import * as z from 'zod';
import { ownerKey } from '../access/owner-key.ts';
import { bytesKeptOf } from '../conversations/attachments/keep.ts';
import { conversationFolder } from '../conversations/attachments/schema.ts';
import type { Conversation } from '../conversations/schema.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict } from '../errors.ts';
import { type CallPorts, callWorkers } from '../leases/due.ts';
import { timestamp } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { searchFilter } from '../retrieval/filter/filter-schema.ts';
import { framesPartition } from '../run-events/schema.ts';
import { isRunOver, KEEP_RUN_SECONDS, type Run, runs, runsPartition } from '../runs/schema.ts';
import { budgetSchema } from '../runs/steps/limits.ts';
import { steps, stepsOf } from '../runs/steps/step-records.ts';
import { draftFormatSchema } from './schema.ts';

const DUE = 'DRAFTS_DUE';
/** Milliseconds for which a request is kept: a day longer than its run. */
const KEPT_MS = KEEP_RUN_SECONDS * 1000 + 24 * 60 * 60 * 1000;
/** The time in milliseconds after which a lost message is sent again. */
const AGAIN_MS = 60 * 60 * 1000;
/** The maximum number of unfinished checks per caller. */
const MAX_UNFINISHED = 10;
/**
 * Milliseconds for which a draft is kept without a run. A draft is stored before its run, and an interrupted
 * start leaves no run.
 */
const START_MS = 5 * 60_000;

/**
 * The request of a run that checks a draft. Until the draft is removed, it counts toward the quota of the caller who
 * started the check.
 */
export const draftChecks = collection({
  kind: 'draft-check',
  schema: z.object({
    ownerId: z.string(),
    runId: z.string(),
    /** The searched workspaces. The run belongs to the first one. */
    workspaceIds: z.array(z.string()),
    name: z.string(),
    /**
     * The draft's path and the SHA-256 of its bytes, if it is a file of the first workspace. It isn't
     * evidence for itself.
     */
    path: z.string().nullable(),
    hash: z.string(),
    /** The folder where the draft is stored, and its size. */
    folder: z.string(),
    bytes: z.int(),
    /** The folder of the draft that contains this sentence. Versions of that draft aren't evidence either. */
    wholeFolder: z.string().optional(),
    /** Other files and folders that don't count as evidence. */
    without: z.array(z.string()),
    /** The facts of the files that can be evidence; absent for any. */
    filter: searchFilter.optional(),
    /** True if only the user who started the check and global administrators can read it. */
    isPrivate: z.boolean(),
    format: draftFormatSchema,
    judge: z.boolean(),
    /** True if the entries of the reference list are looked up. */
    references: z.boolean().default(false),
    budget: z.object(budgetSchema.shape),
    /** The number of sentences in the draft, and how many of them contain a claim. */
    sentences: z.int(),
    claims: z.int(),
    /** True until the worker has read a draft that takes longer than a request may. */
    isUnread: z.boolean(),
    /** When the draft is removed. */
    until: z.string(),
  }),
  key: ({ ownerId, runId }: { ownerId: string; runId: string }) => ({
    partition: ownerPartition(ownerId),
    sort: runId,
  }),
  index: ({ runId, until }) => ({ partition: DUE, sort: `${until}#${runId}` }),
});
export type CheckRequest = NonNullable<Awaited<ReturnType<typeof draftChecks.get>>>;

function ownerPartition(ownerId: string): string {
  return `DRAFTS_OF#${ownerKey(ownerId)}`;
}

/** Returns the request of a run; undefined if its draft was removed. */
export function requestOf(
  records: Records,
  { id, caller }: Pick<Run, 'id' | 'caller'>,
): Promise<CheckRequest | undefined> {
  return draftChecks.get(records, { ownerId: caller.id, runId: id });
}

/** The error codes of a draft that can't be stored because there is no room. */
export const KEEP_DRAFT_ERRORS = [
  'attachments_quota_used_up',
  'too_many_draft_checks',
] as const satisfies ErrorCode[];

/**
 * Stores the request of a check, before its draft and before the limits are read, so that parallel starts
 * count each other. Throws Conflict if the caller has used up the quota for attachments and drafts, or has
 * too many unfinished checks.
 */
export async function putRequest(
  ports: TimedRecords & { objects: Objects; attachmentQuotaBytes?: number | undefined },
  request: Omit<CheckRequest, 'until'>,
): Promise<void> {
  const { records, clock, attachmentQuotaBytes = Number.POSITIVE_INFINITY } = ports;
  const { ownerId } = request;
  await draftChecks.put(records, { ...request, until: timestamp(clock, KEPT_MS) });
  const query = { partition: ownerPartition(ownerId), limit: 1000 };
  const kept = await Array.fromAsync(draftChecks.all(records, query));
  const bytes = kept.reduce((sum, each) => sum + each.bytes, await bytesKeptOf(records, ownerId));
  const unfinished = await countUnfinished(ports, kept);
  if (unfinished <= MAX_UNFINISHED && bytes <= attachmentQuotaBytes) return;
  await dropDraft(ports, ownerId, request.runId);
  throw unfinished > MAX_UNFINISHED ? tooMany() : overQuota();
}

async function countUnfinished({ records, clock }: TimedRecords, kept: CheckRequest[]): Promise<number> {
  const found = await runs.getMany(
    records,
    kept.map(({ runId }) => ({ id: runId })),
  );
  const begun = new Set(found.map(({ id }) => id));
  const startsSince = timestamp(clock, KEPT_MS - START_MS);
  const starting = kept.filter(({ runId, until }) => !begun.has(runId) && until >= startsSince);
  return starting.length + found.filter(({ status }) => !isRunOver(status)).length;
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

/**
 * Runs every minute: calls a worker to remove drafts that are no longer kept, because only workers can access
 * the objects.
 */
export function sweepDrafts(ports: CallPorts): Promise<void> {
  return callWorkers(ports, {
    collection: draftChecks,
    partition: DUE,
    againMs: AGAIN_MS,
    messageOf: ({ runId, ownerId }) => ({ runId, draftOf: ownerId }),
    failure: 'an old draft could not be swept',
    about: ({ runId }) => ({ runId }),
  });
}

/**
 * Removes a draft and its results, for the worker that `sweepDrafts()` calls, and for a deleted check.
 * Idempotent.
 */
export async function dropDraft(
  { records, objects }: { records: Records; objects: Objects },
  ownerId: string,
  runId: string,
): Promise<void> {
  const kept = await draftChecks.get(records, { ownerId, runId });
  if (kept !== undefined) await objects.deletePrefix(kept.folder);
  await forgetCheck(records, { ownerId, runId });
}

/** Removes the draft of a run that is erased. It may be stored in another workspace than the deleted one. Idempotent. */
export async function dropDraftOfRun(
  ports: { records: Records; objects: Objects },
  runId: string,
): Promise<void> {
  const run = await runs.get(ports.records, { id: runId });
  if (run?.kind === 'verify') await dropDraft(ports, run.caller.id, runId);
}

/** Removes the drafts of a person. Returns how many there were. Idempotent. */
export async function dropDraftsOf(
  ports: { records: Records; objects: Objects },
  ownerId: string,
): Promise<number> {
  let count = 0;
  for await (const { runId } of draftChecks.all(ports.records, { partition: ownerPartition(ownerId) })) {
    await dropDraft(ports, ownerId, runId);
    count += 1;
  }
  return count;
}

/** Removes the requests of a deleted conversation, whose objects are removed with its attachments. Idempotent. */
export async function dropDraftsIn(
  records: Records,
  { ownerId, workspaceId, key }: Pick<Conversation, 'ownerId' | 'workspaceId' | 'key'>,
): Promise<void> {
  const above = conversationFolder({ workspaceId, key });
  for await (const kept of draftChecks.all(records, { partition: ownerPartition(ownerId), limit: 100 }))
    if (kept.folder.startsWith(above)) await forgetCheck(records, kept);
}

/**
 * Removes the requests of a deleted workspace, whose objects are removed with its attachments. Its runs are erased
 * afterwards.
 */
export async function dropDrafts(records: Records, workspaceId: string): Promise<void> {
  const query = { partition: runsPartition(workspaceId), byIndex: true, limit: 100 };
  for await (const { id, kind, caller } of runs.all(records, query))
    if (kind === 'verify') await forgetCheck(records, { ownerId: caller.id, runId: id });
}

/**
 * Removes the results for a draft (verdicts, suggestions, and the judge's answers), the run's events, which
 * contain the verdicts without quotes, and finally the request. The run stays. Idempotent.
 */
async function forgetCheck(records: Records, id: { ownerId: string; runId: string }): Promise<void> {
  for await (const step of steps.all(records, stepsOf(id.runId))) await steps.delete(records, step);
  await dropPartition(records, framesPartition(id.runId));
  await draftChecks.delete(records, id); // last, so that the deletion can be repeated until then
}

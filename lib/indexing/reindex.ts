import * as z from 'zod';
import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import { newId } from '../identifiers.ts';
import { embeddingSpaceOf, firstGeneration, modelOf } from '../passages/embedding-space.ts';
import { timestamp, timestampSchema } from '../ports/clock.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
import { workspaces } from '../workspaces/schema.ts';
import { sendIndex } from './enqueue.ts';
import type { IndexMessage } from './messages.ts';
import type { IndexPorts } from './ports.ts';
import { countTexts, isRunning, type Sync, syncs } from './schema.ts';
import { isMessageLost, storeStep } from './steps.ts';
import { type SyncPorts, startSync } from './sync.ts';

/** The number of workspaces to sync concurrently, because a waiting workspace must not look idle. */
const AT_ONCE = 4;
const STEP_SECONDS = 3;
/**
 * Milliseconds without a step after which a message counts as lost, and the next request resumes its work.
 */
const LOST_MS = 5 * 60_000;
/** People request re-indexing after the model has changed, maybe under the same name. */
const PERSON = { checksModel: true };
const LATEST = { id: 'latest' } as const;

const count = z.number().int();

/** Response of GET /api/system/reindex. */
export const reindexSchema = z
  .strictObject({
    status: z
      .enum(['idle', 'running', 'ready', 'failed'])
      .describe('Status. `idle` if there was no re-indexing, `failed` if a workspace failed.'),
    model: z
      .string()
      .nullable()
      .describe('Embedding model that is being applied. Null for keyword search only.'),
    workspaces: z
      .strictObject({
        total: count.describe('Number of workspaces to re-index.'),
        done: count.describe('Number of workspaces that are re-indexed.'),
        failed: count.describe('Number of workspaces whose sync failed.'),
      })
      .describe('Progress by workspaces.'),
    textsEmbedded: count.describe('Number of passages that were embedded so far.'),
    startedAt: timestampSchema
      .nullable()
      .describe('Start of the latest re-indexing. Null if there was none.'),
    finishedAt: timestampSchema
      .nullable()
      .describe('End of the latest re-indexing. Null while it is running.'),
  })
  .meta({ id: 'Reindex' });
export type ReindexState = z.infer<typeof reindexSchema>;

/**
 * The latest re-indexing. Its message hands itself off from step to step. A repeated step finds that the next
 * one already exists.
 */
const reindexings = collection({
  kind: 'reindexing',
  schema: z.object({
    id: z.literal(LATEST.id),
    reindexId: z.string(),
    step: count,
    space: z.string(),
    /** The cursor of the list of workspaces; null at its start. */
    cursor: z.string().nullable(),
    isListed: z.boolean(),
    active: z.array(z.object({ workspaceId: z.string(), syncId: z.string() })),
    total: count,
    done: count,
    failed: count,
    textsEmbedded: count,
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
    heartbeatAt: z.string(),
  }),
  key: ({ id }: { id: string }) => ({ partition: 'REINDEX', sort: id }),
});
type Reindex = NonNullable<Awaited<ReturnType<typeof reindexings.get>>>;

/** Starts syncs of all workspaces, or returns the running re-indexing. */
export async function startReindex(ports: SyncPorts, caller: Caller): Promise<ReindexState> {
  requireAdminOfAll(caller);
  const { records, indexQueue, clock } = ports;
  const current = await reindexings.get(records, LATEST);
  if (current?.finishedAt === null) {
    if (isMessageLost(current, clock, LOST_MS)) await sendStep(indexQueue, current);
    return describe(records, current);
  }
  const begun = await newReindex(ports);
  const stored =
    current === undefined
      ? await reindexings.create(records, begun)
      : await reindexings.put(records, begun, { reindexId: current.reindexId });
  if (!stored) return startReindex(ports, caller);
  await sendStep(indexQueue, begun);
  return describe(records, begun);
}

export async function readReindex(records: Records, caller: Caller): Promise<ReindexState> {
  requireAdminOfAll(caller);
  const current = await reindexings.get(records, LATEST);
  if (current !== undefined) return describe(records, current);
  const none = { total: 0, done: 0, failed: 0 };
  return {
    status: 'idle',
    model: null,
    workspaces: none,
    textsEmbedded: 0,
    startedAt: null,
    finishedAt: null,
  };
}

async function newReindex({ records, clock, space }: SyncPorts): Promise<Reindex> {
  let total = 0;
  for await (const _ of workspaces.all(records, { partition: 'WORKSPACE', limit: 1000 })) total++;
  const now = timestamp(clock);
  return {
    ...LATEST,
    reindexId: newId(),
    step: 0,
    space,
    cursor: null,
    isListed: false,
    active: [],
    total,
    done: 0,
    failed: 0,
    textsEmbedded: 0,
    startedAt: now,
    finishedAt: null,
    heartbeatAt: now,
  };
}

async function sendStep(indexQueue: Queue, { reindexId, step }: Reindex, delaySeconds = 0): Promise<void> {
  const body: IndexMessage = { kind: 'reindex', reindexId, step };
  await sendIndex(indexQueue, reindexId, [body], delaySeconds);
}

/** Does one step: removes syncs that ended, starts as many others, and hands off to itself. */
export async function advanceReindex(
  ports: IndexPorts,
  { reindexId, step }: { reindexId: string; step: number },
): Promise<void> {
  const { records, indexQueue, clock } = ports;
  const current = await reindexings.get(records, LATEST);
  if (current?.reindexId !== reindexId || current.finishedAt !== null || current.step > step) return;
  const syncPorts = { ...ports, space: embeddingSpaceOf(ports.embedder) };
  const filled = await startMore(syncPorts, await settleEnded(syncPorts, current));
  const isOver = filled.isListed && filled.active.length === 0;
  const next = { ...filled, step: step + 1, finishedAt: isOver ? timestamp(clock) : null };
  const send = isOver ? undefined : () => sendStep(indexQueue, next, STEP_SECONDS);
  await storeStep(ports, reindexings, current, next, { send, expect: { reindexId } });
}

async function settleEnded(ports: SyncPorts, before: Reindex): Promise<Reindex> {
  const next: Reindex = { ...before, space: ports.space, active: [] };
  for (const { workspaceId } of before.active) {
    const sync = await syncs.get(ports.records, { workspaceId });
    const syncId = sync && (await stillRuns(ports, sync));
    if (syncId !== undefined) {
      next.active.push({ workspaceId, syncId });
      continue;
    }
    if (sync?.status === 'failed') next.failed += 1;
    else next.done += 1; // also for a deleted workspace
    next.textsEmbedded += sync === undefined ? 0 : countTexts(sync);
  }
  return next;
}

/**
 * A sync that fills another space, because it was planned before the model changed, doesn't count. The next
 * sync does.
 */
async function stillRuns(ports: SyncPorts, { workspaceId, syncId, status, space }: Sync) {
  if (isRunning(status)) return syncId;
  return status === 'ready' && firstGeneration(space) !== ports.space
    ? startSync(ports, workspaceId, PERSON)
    : undefined;
}

async function startMore(ports: SyncPorts, before: Reindex): Promise<Reindex> {
  const room = AT_ONCE - before.active.length;
  if (before.isListed || room <= 0) return before;
  const page = await workspaces.list(ports.records, {
    partition: 'WORKSPACE',
    limit: room,
    cursor: before.cursor ?? undefined,
  });
  const started = [];
  for (const { id } of page.items) {
    started.push({ workspaceId: id, syncId: await startSync(ports, id, PERSON) });
  }
  return {
    ...before,
    active: [...before.active, ...started],
    cursor: page.cursor ?? null,
    isListed: page.cursor === undefined,
  };
}

async function describe(records: Records, current: Reindex): Promise<ReindexState> {
  const running = await syncs.getMany(records, current.active);
  const { total, done, failed, startedAt, finishedAt } = current;
  const ended = failed > 0 ? 'failed' : 'ready';
  return {
    status: finishedAt === null ? 'running' : ended,
    model: modelOf(current.space),
    workspaces: { total: Math.max(total, done + failed), done, failed },
    textsEmbedded: running.reduce((sum: number, sync: Sync) => sum + countTexts(sync), current.textsEmbedded),
    startedAt,
    finishedAt,
  };
}

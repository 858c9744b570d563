import { withoutClosed } from '../datasets/links/mounts.ts';
import { modelOf } from '../passages/embedding-space.ts';
import { readSearchSpace } from '../passages/search-space.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { type RecognitionRun, recognitionRuns } from './recognize/schema.ts';
import { countTexts, type IndexState, type Progress, progressSchema, type Sync, syncs } from './schema.ts';
import { countWaiting, readWaiting } from './waiting-files.ts';
import { readFreshness } from './watch/as-of.ts';

const NEVER: IndexState = {
  syncId: null,
  status: 'idle',
  total: 0,
  done: 0,
  newCount: 0,
  updatedCount: 0,
  unchangedCount: 0,
  removedCount: 0,
  failedCount: 0,
  textsEmbedded: 0,
  skippedCount: 0,
  waitingCount: 0,
  errors: [],
  embedding: null,
  startedAt: null,
  finishedAt: null,
  watching: 'off',
  asOf: null,
};

/** The state of a workspace's latest sync, or of files that are indexed without one; `idle` before the first. */
export async function readIndexState(
  records: Records,
  workspaceId: string,
  clock: Clock = systemClock,
): Promise<IndexState> {
  const [sync, { count: waitingCount, since: waitingSince }, space, run] = await Promise.all([
    syncs.get(records, { workspaceId }),
    readWaiting(records, workspaceId),
    readSearchSpace(records, workspaceId),
    recognitionRuns.get(records, { workspaceId }),
  ]);
  const embedding = space === undefined ? null : modelOf(space);
  const recognized = run?.active && run.path !== undefined ? [placeOf(run.path, run)] : [];
  const [recognizing] = (await withoutClosed(records, workspaceId, recognized)).map((place) => ({
    recognizing: place,
  }));
  const freshness = await readFreshness({ records, clock }, workspaceId, { sync, waitingSince });
  if (sync === undefined)
    return {
      ...NEVER,
      ...progressOf(sync, waitingCount),
      waitingCount,
      ...recognizing,
      embedding,
      ...freshness,
    };
  const { newCount, updatedCount, unchangedCount, removedCount } = sync;
  return {
    syncId: sync.syncId,
    ...progressOf(sync, waitingCount),
    waitingCount,
    newCount,
    updatedCount,
    unchangedCount,
    removedCount,
    textsEmbedded: countTexts(sync),
    skippedCount: sync.skippedCount,
    ...recognizing,
    errors: await withoutClosed(records, workspaceId, sync.errors),
    embedding,
    startedAt: sync.startedAt,
    ...freshness,
  };
}

/** Returns the indexing progress of these workspaces, in their order: one read for all syncs, and one each for waiting files. */
export async function readProgress(records: Records, workspaceIds: string[]): Promise<Progress[]> {
  const [found, waiting] = await Promise.all([
    syncs.getMany(
      records,
      workspaceIds.map((workspaceId) => ({ workspaceId })),
    ),
    Promise.all(workspaceIds.map((workspaceId) => countWaiting(records, workspaceId))),
  ]);
  const byId = new Map(found.map((sync) => [sync.workspaceId, sync]));
  return workspaceIds.map((id, place) => progressOf(byId.get(id), waiting[place] ?? 0));
}

/** While files wait, `ready` becomes `indexing`. A failed sync stays visible. */
function progressOf(sync: Sync | undefined, waiting: number): Progress {
  if (sync === undefined)
    return progressSchema.parse(waiting === 0 ? NEVER : { ...NEVER, status: 'indexing', total: waiting });
  const progress = progressOfSync(sync);
  return waiting > 0 && progress.status === 'ready' ? { ...progress, status: 'indexing' } : progress;
}

function progressOfSync({ status, total, failedCount, finishedAt, ...sync }: Sync): Progress {
  const done = sync.newCount + sync.updatedCount + sync.unchangedCount + sync.removedCount + failedCount;
  return { status, total, done, failedCount, finishedAt };
}

function placeOf(path: string, { pages, pagesRead }: RecognitionRun): NonNullable<IndexState['recognizing']> {
  return { path, pages, pagesRead };
}

import { withoutClosed } from '../datasets/links/mounts.ts';
import { modelOf } from '../passages/embedding-space.ts';
import { indexes, type SearchIndex } from '../passages/search-space.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { countFew, type FileCounts, NO_FILES, storedCounts } from './commit/file-counts.ts';
import { type RecognitionRun, recognitionRuns } from './recognize/schema.ts';
import {
  countHandled,
  countTexts,
  type IndexState,
  indexError,
  isOfRecord,
  type Progress,
  readKnownFiles,
  type Sync,
  skippedFiles,
  skippedLists,
  skippedPartition,
  syncs,
} from './schema.ts';
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
  index: null,
  errors: [],
  embedding: null,
  startedAt: null,
  finishedAt: null,
  watching: 'off',
  asOf: null,
};

const NEVER_PROGRESS: SyncProgress = { status: 'idle', total: 0, done: 0, failedCount: 0, finishedAt: null };

/**
 * Returns the state of a workspace's latest sync, or of files that are being indexed without one; `idle`
 * before the first sync.
 */
export async function readIndexState(
  records: Records,
  workspaceId: string,
  clock: Clock = systemClock,
): Promise<IndexState> {
  const [sync, { count: waitingCount, since: waitingSince }, stored, skipped, run] = await Promise.all([
    syncs.get(records, { workspaceId }),
    readWaiting(records, workspaceId),
    indexes.get(records, { workspaceId }),
    countSkipped(records, workspaceId),
    recognitionRuns.get(records, { workspaceId }),
  ]);
  const embedding = stored === undefined ? null : modelOf(stored.space);
  const held = heldFiles(stored) ?? toHeld(await countFew(records, workspaceId));
  const index = held && { ...held, skipped };
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
      index,
      embedding,
      ...freshness,
    };
  const { newCount, updatedCount, unchangedCount, removedCount } = countHandled(sync);
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
    index,
    errors: await withoutClosed(records, workspaceId, await errorsNow(records, sync)),
    embedding,
    startedAt: sync.startedAt,
    ...freshness,
  };
}

/**
 * Returns those of a sync's errors that still apply. Since then, a file may have been read successfully, or
 * removed.
 */
async function errorsNow(records: Records, { workspaceId, errors }: Sync): Promise<IndexState['errors']> {
  const paths = errors.filter(isOfRecord).map(({ path }) => path);
  if (paths.length === 0) return errors;
  const files = await readKnownFiles(records, workspaceId, paths);
  return errors.flatMap((one) => {
    if (!isOfRecord(one)) return [one];
    const error = files.get(one.path)?.error;
    return error === undefined ? [] : [indexError(one.path, error)];
  });
}

/**
 * Returns the indexing progress of these workspaces, in order, with one read for all syncs, one for all counts, and one
 * per workspace for its waiting files.
 */
export async function readProgress(records: Records, workspaceIds: string[]): Promise<Progress[]> {
  const ids = workspaceIds.map((workspaceId) => ({ workspaceId }));
  const [found, stored, waiting] = await Promise.all([
    syncs.getMany(records, ids),
    indexes.getMany(records, ids),
    Promise.all(workspaceIds.map((workspaceId) => countWaiting(records, workspaceId))),
  ]);
  const syncOf = new Map(found.map((sync) => [sync.workspaceId, sync]));
  const indexOf = new Map(stored.map((index) => [index.workspaceId, index]));
  return workspaceIds.map((id, place) => {
    const waitingCount = waiting[place] ?? 0;
    const index = heldFiles(indexOf.get(id)) ?? null;
    return { ...progressOf(syncOf.get(id), waitingCount), waitingCount, index };
  });
}

/** Returns only the status, for searches that report whether the index is complete. */
export async function readIndexStatus(records: Records, workspaceId: string): Promise<Progress['status']> {
  const [sync, waiting] = await Promise.all([
    syncs.get(records, { workspaceId }),
    countWaiting(records, workspaceId),
  ]);
  return progressOf(sync, waiting).status;
}

type SyncProgress = Omit<Progress, 'waitingCount' | 'index'>;

/** While files wait, `ready` becomes `indexing`. A failed sync stays visible. */
function progressOf(sync: Sync | undefined, waiting: number): SyncProgress {
  if (sync === undefined)
    return waiting === 0 ? NEVER_PROGRESS : { ...NEVER_PROGRESS, status: 'indexing', total: waiting };
  const progress = progressOfSync(sync);
  return waiting > 0 && progress.status === 'ready' ? { ...progress, status: 'indexing' } : progress;
}

function progressOfSync(sync: Sync): SyncProgress {
  const { status, total, finishedAt } = sync;
  const files = countHandled(sync);
  const done = Object.values(files).reduce((sum, count) => sum + count, 0);
  return { status, total, done, failedCount: files.failedCount, finishedAt };
}

/** Before the first commit, there are no files. */
function heldFiles(stored: SearchIndex | undefined) {
  return toHeld(stored === undefined ? NO_FILES : storedCounts(stored));
}

function toHeld(counts: FileCounts | undefined) {
  if (counts === undefined) return null;
  const { searchable, textless, failed } = counts;
  return { searchable, noText: textless, failed };
}

/** The maximum number to count if no walk has stored the count. */
const MAX_SKIPPED_READ = 1000;

async function countSkipped(records: Records, workspaceId: string): Promise<number> {
  const list = await skippedLists.get(records, { workspaceId });
  if (list?.digest != null && list.count !== undefined) return list.count;
  const query = { partition: skippedPartition(workspaceId), limit: MAX_SKIPPED_READ };
  return (await skippedFiles.list(records, query)).items.length;
}

function placeOf(path: string, { pages, pagesRead }: RecognitionRun): NonNullable<IndexState['recognizing']> {
  return { path, pages, pagesRead };
}

import { withoutClosed } from '../datasets/links/mounts.ts';
import { modelOf } from '../passages/embedding-space.ts';
import { readSearchSpace } from '../passages/search-space.ts';
import type { Records } from '../ports/records.ts';
import { type RecognitionRun, recognitionRuns } from './recognize/schema.ts';
import { countTexts, type IndexState, type Progress, progressSchema, type Sync, syncs } from './schema.ts';

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
  errors: [],
  embedding: null,
  startedAt: null,
  finishedAt: null,
};

/** The state of a workspace's latest sync; `idle` before the first. */
export async function readIndexState(records: Records, workspaceId: string): Promise<IndexState> {
  const [sync, space, run] = await Promise.all([
    syncs.get(records, { workspaceId }),
    readSearchSpace(records, workspaceId),
    recognitionRuns.get(records, { workspaceId }),
  ]);
  const embedding = space === undefined ? null : modelOf(space);
  const recognized = run?.active && run.path !== undefined ? [placeOf(run.path, run)] : [];
  const [recognizing] = (await withoutClosed(records, workspaceId, recognized)).map((place) => ({
    recognizing: place,
  }));
  if (sync === undefined) return { ...NEVER, ...recognizing, embedding };
  const { newCount, updatedCount, unchangedCount, removedCount } = sync;
  return {
    syncId: sync.syncId,
    ...progressOf(sync),
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
  };
}

/** Returns the indexing progress of these workspaces, in their order, with one read for all. */
export async function readProgress(records: Records, workspaceIds: string[]): Promise<Progress[]> {
  const found = await syncs.getMany(
    records,
    workspaceIds.map((workspaceId) => ({ workspaceId })),
  );
  const byId = new Map(found.map((sync) => [sync.workspaceId, progressOf(sync)]));
  return workspaceIds.map((id) => byId.get(id) ?? progressSchema.parse(NEVER));
}

function progressOf({ status, total, failedCount, finishedAt, ...sync }: Sync): Progress {
  const done = sync.newCount + sync.updatedCount + sync.unchangedCount + sync.removedCount + failedCount;
  return { status, total, done, failedCount, finishedAt };
}

function placeOf(path: string, { pages, pagesRead }: RecognitionRun): NonNullable<IndexState['recognizing']> {
  return { path, pages, pagesRead };
}

import { stat } from 'node:fs/promises';
import { newId } from '../../identifiers.ts';
import { embeddingSpaceOf } from '../../passages/embedding-space.ts';
import { readFilledSpace, readSearchSpace } from '../../passages/search-space.ts';
import { readTableId } from '../../passages/tables.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { lookLater, sendCommit, sendIndex, touchGroups } from '../enqueue.ts';
import type { IndexMessage } from '../messages.ts';
import { type Plan, planned } from '../plan.ts';
import type { IndexedWorkspace, IndexPorts } from '../ports.ts';
import { readingOf } from '../read/how-read.ts';
import { resumeRecognition } from '../recognize/request-recognition.ts';
import { recordSync } from '../record-sync.ts';
import { spaceOfModelNow } from '../renew-space.ts';
import {
  filesPartition,
  folderLooks,
  type IndexedFile,
  indexError,
  indexedFiles,
  isAsked,
  isReadAs,
  isRunning,
  MAX_ERRORS,
  pendingLooks,
  type Sync,
  stateOf,
  syncs,
  UNREADABLE_FOLDER,
} from '../schema.ts';
import { failSync, leaveToSync } from '../sync.ts';
import { markWaiting, unmarkSynced } from '../waiting-files.ts';
import { readCompleteUpTo } from '../watch/as-of.ts';
import { toBatches, withPossibleCopies } from './batches.ts';
import { keepSkipped } from './keep-skipped.ts';
import { isBelowAny, leaveOutPictures, type Walk, type WalkedFile } from './walk.ts';
import { walkWorkspace } from './walk-mounted.ts';

/**
 * In milliseconds. A file that changed this shortly before it was read may have changed again within the
 * clock's resolution.
 */
export const RACY_MS = 20;

/** Compares the workspace's files with the index, and sends those that differ to be read, largest first. */
export async function scanWorkspace(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  { syncId, checksModel }: Pick<Extract<IndexMessage, { kind: 'scan' }>, 'syncId' | 'checksModel'>,
): Promise<void> {
  const { id: workspaceId, rootPath } = workspace;
  const sync = await syncs.get(ports.records, { workspaceId });
  if (sync?.syncId !== syncId || !isRunning(sync.status)) return;
  if (!(await isFolder(rootPath)))
    return failSync(ports, sync, 'The workspace directory is missing. Restore it, then sync again.');
  const filled = await readFilledSpace(ports.records, workspaceId, embeddingSpaceOf(ports.embedder));
  const space = checksModel ? await spaceOfModelNow(ports, workspaceId, filled) : filled;
  const table = await readTableId(ports, { workspaceId, space });
  const { files, skipped, unreadable, known } = await lookAround(ports, workspace);
  const { seen, removed, kept } = compare(files, known, unreadable, (file, before) =>
    isCurrent(file, before, { space, table, recognizer: ports.recognizer?.id }),
  );
  const blank = countBlank(files, seen, known);
  const batches = toBatches(withPossibleCopies(seen, known.values()), removed);
  const planId = newId();
  const plan: Plan = {
    kind: 'plan',
    workspaceId,
    syncId,
    planId,
    batches: batches.length,
    total: files.length - blank + removed.length + kept,
    unchanged: files.length - blank - seen.length + kept,
    skipped: skipped.length + blank,
    space,
    errors: unreadable.slice(0, MAX_ERRORS).map((path) => indexError(path, UNREADABLE_FOLDER)),
  };
  if (ports.recognizer !== undefined) await resumeRecognition(ports, workspaceId);
  if (await finishUnchanged(ports, sync, plan)) return;
  await sendCommit(ports.commitQueue, plan);
  const messages: IndexMessage[] = batches.map((batch, index) => ({
    kind: 'files',
    workspaceId,
    batch: { syncId, planId, number: String(index) },
    ...batch,
  }));
  await sendIndex(ports.indexQueue, workspaceId, messages);
}

/**
 * Checks the workspace after a command, and sends files with a different stat to be read. The next sync
 * handles earlier failures and files without embeddings.
 */
export async function lookAtWorkspace(ports: IndexPorts, workspace: IndexedWorkspace): Promise<void> {
  const { id: workspaceId, rootPath } = workspace;
  const startedAt = ports.clock.now();
  await pendingLooks.delete(ports.records, { workspaceId });
  if (!(await isFolder(rootPath))) return;
  const { files, unreadable, known } = await lookAround(ports, workspace);
  const { seen, removed } = compare(
    files,
    known,
    unreadable,
    (file, before) => before.givenUp || isUntouched(file, before),
  );
  const left = await leaveToSync(ports, workspaceId, seen.length + removed.length);
  if (left === 'later') return lookLater(ports, workspaceId, ports.clock.now() - startedAt);
  if (left === 'started') return;
  const batches = toBatches(withPossibleCopies(seen, known.values()), removed);
  const groups = batches.map((batch) => [...batch.files.map(({ path }) => path), ...batch.removed]);
  // The files may have changed at any time since the last time that the index was known to match the folder.
  const since = await readCompleteUpTo(ports.records, workspaceId);
  const paths = seen.map(({ path }) => path);
  await markWaiting(ports, workspaceId, paths, { since });
  await markWaiting(ports, workspaceId, removed, { since, gone: true });
  await touchGroups(groups.length > 1 ? ports.indexQueue : ports.touchQueue, workspaceId, groups, {
    isPart: true,
  });
  await folderLooks.put(ports.records, { workspaceId, startedAt, tookMs: ports.clock.now() - startedAt });
}

/** Returns whether the root is a folder. If the root is missing, its files must not count as removed. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() ?? false;
}

/** Lists the files and their records, and updates the list of skipped files. */
async function lookAround(
  { records, recognizer }: IndexPorts,
  workspace: IndexedWorkspace,
): Promise<Walk & { known: Map<string, IndexedFile> }> {
  const [walked, known] = await Promise.all([
    walkWorkspace(records, workspace),
    readKnown(records, workspace.id),
  ]);
  const isKept = (path: string) => recognizer !== undefined || known.has(path);
  const found = leaveOutPictures(walked, isKept);
  await keepSkipped(records, workspace.id, '', found);
  return { ...found, known };
}

/**
 * Counts files that were read but had no text. They needn't be read again, but aren't in the index either.
 */
function countBlank(walked: WalkedFile[], seen: WalkedFile[], known: Map<string, IndexedFile>): number {
  const rescanned = new Set(seen);
  return walked.filter((file) => {
    const before = known.get(file.path);
    return before !== undefined && stateOf(before) === 'skipped' && !rescanned.has(file);
  }).length;
}

async function readKnown(records: Records, workspaceId: string): Promise<Map<string, IndexedFile>> {
  const known = new Map<string, IndexedFile>();
  const all = indexedFiles.all(records, { partition: filesPartition(workspaceId), limit: 1000 });
  for await (const file of all) known.set(file.path, file);
  return known;
}

interface Difference {
  /** Files to read. */
  seen: WalkedFile[];
  /** Indexed files that are deleted. */
  removed: string[];
  /** The number of indexed files in places that the walk couldn't read. They stay unchanged. */
  kept: number;
}

function compare(
  walked: WalkedFile[],
  known: Map<string, IndexedFile>,
  unreadable: string[],
  isSame: (file: WalkedFile, known: IndexedFile) => boolean,
): Difference {
  const paths = new Set(walked.map(({ path }) => path));
  const missing = [...known.keys()].filter((path) => !paths.has(path));
  const removed = missing.filter((path) => !isBelowAny(path, unreadable));
  const seen = walked.filter((file) => {
    const before = known.get(file.path);
    return before === undefined || !isSame(file, before);
  });
  return { seen, removed, kept: missing.length - removed.length };
}

/**
 * Returns true if the file is unchanged since it was read successfully, in the current way and for this
 * space.
 */
function isCurrent(
  file: WalkedFile,
  known: IndexedFile,
  { recognizer, ...held }: { space: string; table: string | undefined; recognizer: string | undefined },
): boolean {
  const isRead =
    isReadAs(known, { ...readingOf(file.path), ...held }) && isAsked(known, file.path, recognizer);
  return isRead && isUntouched(file, known);
}

/** Returns true if the file's stat hasn't changed since it was read. */
export function isUntouched(file: Omit<WalkedFile, 'path'>, known: IndexedFile): boolean {
  if (known.ctimeMs >= known.readAt - RACY_MS) return false; // not mtime, which programs can set
  return file.size === known.size && file.mtimeMs === known.mtimeMs && file.ctimeMs === known.ctimeMs;
}

/**
 * Ends a sync for which everything is already indexed, without waiting for the workspace's writer, which may
 * do maintenance for minutes. Returns false if there are changes to write, or another space becomes current.
 */
async function finishUnchanged(ports: TimedRecords, sync: Sync, plan: Plan): Promise<boolean> {
  const { workspaceId, syncId, planId, heartbeatAt } = sync;
  if (plan.batches > 0 || (await readSearchSpace(ports.records, workspaceId)) !== plan.space) return false;
  const finishedAt = timestamp(ports.clock);
  const done: Sync = { ...planned(sync, plan), status: 'ready', finishedAt, heartbeatAt: finishedAt };
  // Not if another plan of this sync arrived in between, because its batches are running.
  if (!(await syncs.put(ports.records, done, { syncId, planId, heartbeatAt }))) return false;
  await unmarkSynced(ports, done);
  await recordSync(ports, done);
  return true;
}

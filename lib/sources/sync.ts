import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { withTimeout } from '../async/with-timeout.ts';
import { DiskFull, UpstreamFailed } from '../errors.ts';
import { knownError } from '../known-error.ts';
import { log } from '../log.ts';
import type { SourceChanges } from '../ports/file-source.ts';
import { carryOut, type FileWork, recover, removeEmptyFolders } from './keep-file.ts';
import {
  type PlacedFile,
  placeFiles,
  planSync,
  purgeSteps,
  type SyncLimits,
  type SyncStep,
  sourceFolder,
} from './plan.ts';
import {
  MAX_CHANGES,
  NO_SYNC_COUNTS,
  type SourceCounts,
  type SourceFileChange,
  type StoredSourceFile,
  sourceFiles,
  sourceFilesPartition,
  sourceObjects,
  sourceObjectsPartition,
} from './schema.ts';

/** Files that are fetched at once. Each is in memory. */
const MAX_AT_ONCE = 2;
/** Failed requests in a row after which a sync ends, because the source can't be reached. */
const MAX_FAILURES_IN_A_ROW = 5;

/** The state of a sync. */
export interface SourceProgress {
  total: number | null;
  done: number;
  counts: SourceCounts;
  changes: SourceFileChange[];
}

export function newProgress(): SourceProgress {
  return { total: null, done: 0, counts: { ...NO_SYNC_COUNTS }, changes: [] };
}

export interface SyncWork extends FileWork {
  progress: SourceProgress;
  /** Stores the position of the next listing, and that files may differ from what is known of the source. */
  advance(position: string | null): Promise<void>;
  /** Called after each step. */
  report(): Promise<void>;
}

/**
 * Brings the files of a source up to date. Everything that is listed is stored before the position, and files are made
 * of what is stored, so a sync continues from wherever an earlier one died.
 */
export async function syncFiles(work: SyncWork, { dryRun }: { dryRun: boolean }): Promise<void> {
  const { source, progress } = work;
  const listed = await list(work);
  for (const file of await knownFiles(work)) await recover(work, file);
  const isQuiet = !(await keepObjects(work, listed)) && !source.isPending;
  const steps = isQuiet ? purgeSteps(await knownFiles(work), limitsOf(work)) : await stepsAfterChange(work);
  progress.total = steps.length;
  if (dryRun) for (const step of steps) count(progress, expected(step));
  else await carryOutAll(work, steps);
}

async function list({ remote, source, signal, patience }: SyncWork): Promise<SourceChanges> {
  const listed = await withTimeout(patience.listMs, (late) =>
    remote.changes(source.position, { signal: AbortSignal.any([signal, late]) }),
  );
  if (listed !== undefined) return listed;
  throw new UpstreamFailed(
    'source_too_large',
    'The source took too long to list its files. Nothing was removed.',
  );
}

async function stepsAfterChange(work: SyncWork): Promise<SyncStep[]> {
  const { source, remote } = work;
  const objects = await Array.fromAsync(
    sourceObjects.all(work.records, { partition: sourceObjectsPartition(source.id) }),
  );
  const files: PlacedFile[] = placeFiles(sourceFolder(source.name), remote.filesOf(objects));
  const known = await knownFiles(work);
  const used = known.reduce((sum, { size, state }) => sum + (state === 'trashed' ? 0 : size), 0);
  work.room = source.maxBytes - used;
  return planSync(files, known, limitsOf(work));
}

function limitsOf({ source: { maxFiles, maxBytes }, clock }: SyncWork): SyncLimits {
  return { maxFiles, maxBytes, now: clock.now() };
}

function knownFiles({ records, source }: SyncWork): Promise<StoredSourceFile[]> {
  return Array.fromAsync(sourceFiles.all(records, { partition: sourceFilesPartition(source.id) }));
}

/**
 * Stores what was listed, and returns whether that changed anything. The source is marked before, so that a sync after a
 * crash doesn't take a list that was stored, but not carried out, for one without changes.
 */
async function keepObjects(work: SyncWork, listed: SourceChanges): Promise<boolean> {
  const { objects, removed } = listed.isWhole ? await compareWhole(work, listed) : listed;
  const { records, source } = work;
  if (objects.length + removed.length === 0 && listed.position === source.position) return false;
  const toId = (key: string) => ({ sourceId: source.id, key });
  await work.advance(source.position);
  await sourceObjects.putMany(
    records,
    objects.map(({ key, json }) => ({ ...toId(key), json })),
  );
  work.requireHeld();
  await sourceObjects.deleteMany(records, removed.map(toId));
  await work.advance(listed.position);
  return true;
}

/**
 * Returns the differences between a whole list and what is stored. Objects are removed only if a second list lacks them
 * too, because files that were moved meanwhile can be missing in one. An empty list removes nothing: a server whose disk
 * isn't there returns one.
 */
async function compareWhole(
  work: SyncWork,
  { objects }: SourceChanges,
): Promise<Pick<SourceChanges, 'objects' | 'removed'>> {
  const { records, source } = work;
  const partition = sourceObjectsPartition(source.id);
  const stored = new Map<string, string>();
  for await (const { key, json } of sourceObjects.all(records, { partition })) stored.set(key, json);
  const there = new Map(objects.map((object) => [object.key, object]));
  const isMissing = (key: string) => !there.has(key);
  if (stored.size > 0 && there.size === 0) throw emptied();
  if ([...stored.keys()].some(isMissing)) {
    const again = await list(work);
    if (again.objects.length === 0) throw emptied();
    for (const object of again.objects) there.set(object.key, object);
  }
  const changed = [...there.values()].filter(({ key, json }) => stored.get(key) !== json);
  return { objects: changed, removed: [...stored.keys()].filter(isMissing) };
}

function emptied(): UpstreamFailed {
  return new UpstreamFailed(
    'source_failed',
    'The source returned an empty list, so nothing was removed. If it is really empty, delete the source here.',
  );
}

/** Carries out the steps that need no request first, because they are quick and make room. */
async function carryOutAll(work: SyncWork, steps: SyncStep[]): Promise<void> {
  const { progress } = work;
  let failures = 0;
  const one = async (step: SyncStep) => {
    work.signal.throwIfAborted();
    try {
      count(progress, await carryOut(work, step));
      failures = 0;
    } catch (error) {
      work.signal.throwIfAborted();
      count(progress, failed(step, error));
      if (error instanceof UpstreamFailed && ++failures >= MAX_FAILURES_IN_A_ROW) throw error;
    }
    progress.done++;
    await work.report();
  };
  const isFetch = ({ action }: SyncStep) => action === 'add' || action === 'update';
  for (const step of steps.filter((step) => !isFetch(step))) await one(step);
  if (progress.counts.moved + progress.counts.trashed > 0) await removeEmptyFolders(work);
  await forEachConcurrent(steps.filter(isFetch), MAX_AT_ONCE, one);
}

/** A file that can't be fetched or written doesn't delay the others. */
function failed(step: SyncStep, error: unknown): SourceFileChange {
  const isUpstream = error instanceof UpstreamFailed;
  if (error instanceof DiskFull || (!isUpstream && knownError(error) === undefined)) throw error;
  log.warn('a file of a source failed', { action: step.action }, error);
  return { path: pathOf(step), action: 'fail', reason: isUpstream ? 'unreachable' : 'write' };
}

function pathOf(step: SyncStep): string {
  return 'file' in step ? step.file.path : step.known.path;
}

function expected(step: SyncStep): SourceFileChange | undefined {
  if (step.action === 'skip') return { path: step.file.path, action: 'skip', reason: step.reason };
  if (step.action === 'facts' || step.action === 'purge' || step.action === 'settle') return undefined;
  return { path: pathOf(step), action: step.action };
}

const COUNTED = {
  ...{ add: 'added', update: 'updated', move: 'moved', trash: 'trashed' },
  ...{ conflict: 'conflicts', skip: 'skipped', fail: 'failed' },
} as const satisfies Record<SourceFileChange['action'], keyof SourceCounts>;

/** Keeps the changes that a person has to see, if there are too many. */
function count({ counts, changes }: SourceProgress, change: SourceFileChange | undefined): void {
  if (change === undefined) return;
  counts[COUNTED[change.action]]++;
  const isUrgent = change.action === 'conflict' || change.action === 'fail';
  if (isUrgent) changes.unshift(change);
  else changes.push(change);
  changes.splice(MAX_CHANGES);
}

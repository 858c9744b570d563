import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { DiskFull, UpstreamFailed } from '../errors.ts';
import { knownError } from '../known-error.ts';
import { log } from '../log.ts';
import type { SourceChanges } from '../ports/file-source.ts';
import { carryOut, type FileWork, recover, removeEmptyFolders } from './keep-file.ts';
import { type PlacedFile, placeFiles, planSync, type SyncStep, sourceFolder, TRASH_DAYS } from './plan.ts';
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
  /** Stores the position of the next listing. */
  advance(position: string): Promise<void>;
  /** Called after each step. */
  report(): Promise<void>;
}

/**
 * Brings the files of a source up to date. Everything that is listed is stored before the position, and files are made
 * of what is stored, so a sync continues from wherever an earlier one died.
 */
export async function syncFiles(work: SyncWork, { dryRun }: { dryRun: boolean }): Promise<void> {
  const { remote, source, progress } = work;
  const listed = await remote.changes(source.position, work);
  for (const file of await knownFiles(work)) await recover(work, file);
  const isQuiet = !listed.isWhole && listed.objects.length + listed.removed.length === 0 && !source.isPending;
  const steps = isQuiet ? await stepsWithoutChanges(work) : await stepsAfter(work, listed);
  progress.total = steps.length;
  if (dryRun) for (const step of steps) count(progress, expected(step));
  else await carryOutAll(work, steps);
}

/** Only the trash needs work if nothing changed. */
async function stepsWithoutChanges(work: SyncWork): Promise<SyncStep[]> {
  const old = new Date(work.clock.now() - TRASH_DAYS * 24 * 60 * 60_000).toISOString();
  const known = await knownFiles(work);
  return known
    .filter(({ trashedAt }) => trashedAt !== null && trashedAt <= old)
    .map((file) => ({ action: 'purge', known: file }));
}

async function stepsAfter(work: SyncWork, listed: SourceChanges): Promise<SyncStep[]> {
  const { source, remote, clock } = work;
  await keepObjects(work, listed);
  await work.advance(listed.position);
  const objects = await Array.fromAsync(
    sourceObjects.all(work.records, { partition: sourceObjectsPartition(source.id) }),
  );
  const files: PlacedFile[] = placeFiles(sourceFolder(source.name), remote.filesOf(objects));
  const known = await knownFiles(work);
  const used = known.reduce((sum, { size, state }) => sum + (state === 'trashed' ? 0 : size), 0);
  work.room = source.maxBytes - used;
  return planSync(files, known, { maxFiles: source.maxFiles, now: clock.now() });
}

function knownFiles({ records, source }: SyncWork): Promise<StoredSourceFile[]> {
  return Array.fromAsync(sourceFiles.all(records, { partition: sourceFilesPartition(source.id) }));
}

/** Stores what was listed. Idempotent. */
async function keepObjects(work: SyncWork, { isWhole, objects, removed }: SourceChanges): Promise<void> {
  const { records, source } = work;
  const partition = sourceObjectsPartition(source.id);
  const toId = (key: string) => ({ sourceId: source.id, key });
  work.requireHeld();
  await sourceObjects.putMany(
    records,
    objects.map(({ key, json }) => ({ ...toId(key), json })),
  );
  const gone = [...removed];
  const there = new Set(objects.map(({ key }) => key));
  if (isWhole)
    for await (const { key } of sourceObjects.all(records, { partition }))
      if (!there.has(key)) gone.push(key);
  work.requireHeld();
  await sourceObjects.deleteMany(records, gone.map(toId));
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

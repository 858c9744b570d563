import { addFactSource } from '../documents/fact-sources.ts';
import { NotFound } from '../errors.ts';
import { touchChanged } from '../indexing/enqueue.ts';
import { errorText, knownError } from '../known-error.ts';
import { duePages } from '../leases/due.ts';
import { type Held, LeaseLost } from '../leases/hold.ts';
import { leasesOf } from '../leases/lease.ts';
import { log } from '../log.ts';
import { timestamp } from '../ports/clock.ts';
import type { RemoteSource } from '../ports/file-source.ts';
import type { Queue } from '../ports/queue.ts';
import type { Records } from '../ports/records.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { dropPartition } from '../records/drop-partition.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { dropFile, type FileWork, removeEmptyFolders } from './keep-file.ts';
import { sourceFolder } from './plan.ts';
import {
  SOURCE_WORK,
  type SourceMessage,
  type StoredSource,
  type StoredSourceRun,
  sourceFiles,
  sourceFilesPartition,
  sourceObjectsPartition,
  sourceRuns,
  sourceRunsPartition,
  sources,
} from './schema.ts';
import { newProgress, type SyncWork, syncFiles } from './sync.ts';

const LEASE_MS = 60_000;
const MARGIN_MS = 5000;
/** Milliseconds before the worker's own end at which it leaves the work to the next message. */
const RESERVE_MS = 20_000;
/**
 * Shares of the time for the list, and for a file. The sync ends after five files that fail in a row, of which two are
 * fetched at once, so a source that stalls can't keep workers busy one after the other.
 */
const LIST_SHARE = 1 / 3;
const FILE_SHARE = 1 / 6;
const REPORT_EVERY_MS = 2000;
const TOUCH_AT_ONCE = 50;

export interface SourceWorkPorts extends TimedRecords {
  secrets: Secrets;
  taskQueue: Queue;
  touchQueue: Queue;
  /** Opens a source with its key. */
  openFileSource(source: StoredSource, apiKey: string): RemoteSource;
}

const sourceLeases = leasesOf({
  collection: sources,
  ms: LEASE_MS,
  owner: 'owner',
  until: 'leaseUntil',
});

/** The time at which the scheduler tick sends the message again, if it was lost. */
export function messageDue(ports: Pick<TimedRecords, 'clock'>): string {
  return timestamp(ports.clock, LEASE_MS);
}

class OutOfTime extends Error {}
class Removed extends Error {}

/** For the scheduler tick: calls a worker for sources whose worker died, or whose message was lost. */
export async function recallSources(ports: TimedRecords & { taskQueue: Queue }): Promise<void> {
  const due = { partition: SOURCE_WORK, to: timestamp(ports.clock) };
  for await (const page of duePages(ports.records, sources, due))
    await ports.taskQueue.send(page.map((source) => sourceMessage(source)));
}

export function sourceMessage({ workspaceId, name, id }: Pick<StoredSource, 'workspaceId' | 'name' | 'id'>) {
  const body: SourceMessage = { kind: 'source', workspaceId, name };
  return { groupId: id, body };
}

/** Handles a message: works on the run of a source, or removes it. One process at a time; others do nothing. */
export async function workOnSource(
  ports: SourceWorkPorts,
  message: SourceMessage,
  timeLeftMs: number,
): Promise<void> {
  const source = await takeSource(ports, message);
  if (source === undefined) return;
  const held = holdSource(ports, source, timeLeftMs);
  try {
    const workMs = timeLeftMs - RESERVE_MS;
    await (source.removing === null
      ? workOnRun(ports, source, held, { listMs: workMs * LIST_SHARE, fileMs: workMs * FILE_SHARE })
      : removeSource(ports, source, held));
  } catch (error) {
    if (error instanceof LeaseLost)
      return log.warn('a source was left to another process', { id: source.id });
    if (!(error instanceof OutOfTime || error instanceof Removed)) throw error;
    held.stop();
    await sourceLeases.leave(ports, source, { ms: 0 });
    await ports.taskQueue.send([sourceMessage(source)]);
  } finally {
    held.stop();
  }
}

/** Takes the lease of a source that has work; undefined if another process has it. */
async function takeSource(ports: SourceWorkPorts, message: SourceMessage): Promise<StoredSource | undefined> {
  const read = await sources.get(ports.records, message);
  if (read === undefined || sourceLeases.isHeld(read, ports.clock)) return undefined;
  return read.isActive || read.removing !== null ? sourceLeases.take(ports, read) : undefined;
}

/** Holds the lease until the work has ended. A source that is deleted meanwhile ends the sync. */
function holdSource(ports: SourceWorkPorts, source: StoredSource, timeLeftMs: number): Held {
  const look = async (abort: (reason: Error) => void) => {
    const now = await sources.get(ports.records, source);
    if (now?.removing !== source.removing) abort(new Removed());
  };
  return sourceLeases.hold(ports, source, {
    ...{ marginMs: MARGIN_MS, about: { sourceId: source.id } },
    watches: [{ everyMs: REPORT_EVERY_MS, look }],
    deadline: { timeLeftMs: timeLeftMs - RESERVE_MS, reason: () => new OutOfTime() },
  });
}

async function workOnRun(
  ports: SourceWorkPorts,
  source: StoredSource,
  held: Held,
  patience: FileWork['patience'],
): Promise<void> {
  const { records } = ports;
  const run = await sourceRuns.get(records, { sourceId: source.id, id: source.lastRunId ?? '' });
  const isOver = run === undefined || run.finishedAt !== null;
  const outcome = isOver
    ? { isPending: source.isPending }
    : await syncRun(ports, source, run, { held, patience });
  const { maxBytes, maxFiles } = (await sources.get(records, source)) ?? source;
  if (maxBytes !== source.maxBytes || maxFiles !== source.maxFiles) outcome.isPending = true;
  held.stop();
  await sourceLeases.leave(ports, source, { set: { isActive: false, ...outcome }, ms: 0 });
}

/** Returns whether work is left for the next sync. Never throws for a failure of the source. */
async function syncRun(
  ports: SourceWorkPorts,
  source: StoredSource,
  run: StoredSourceRun,
  { held, patience }: { held: Held; patience: FileWork['patience'] },
): Promise<{ isPending: boolean }> {
  const progress = newProgress();
  const touched = new Set<string>();
  let remote: RemoteSource | undefined;
  const store = async (fields: Partial<StoredSourceRun>) => {
    const requests = run.requests + (remote?.requests ?? 0);
    await sourceRuns.put(ports.records, { ...run, ...progress, requests, ...fields });
  };
  await store({ status: 'running' });
  let isPending = true;
  try {
    const workspace = await workspaceOf(ports, source);
    remote = ports.openFileSource(source, await keyOf(ports, source));
    const files = fileWork(ports, { source, workspace, remote, held, touched, patience });
    const report = throttled(() =>
      Promise.all([store({ status: 'running' }), flush(ports, source, touched, TOUCH_AT_ONCE)]),
    );
    const advance = async (position: string | null) => {
      held.requireHeld();
      await sources.patch(ports.records, source, { position, isPending: true }, { owner: source.owner });
    };
    await syncFiles(Object.assign(files, { progress, report, advance }) as SyncWork, run);
    isPending = run.dryRun || progress.counts.failed + progress.counts.conflicts > 0;
    held.requireHeld();
    await store({ status: 'success', finishedAt: timestamp(ports.clock) });
  } catch (error) {
    held.signal.throwIfAborted();
    if (error instanceof LeaseLost) throw error;
    const reason = knownError(error);
    if (reason === undefined) log.error('the sync of a source failed', { sourceId: source.id }, error);
    const text = (reason?.message ?? errorText(error)).slice(0, 1000);
    await store({ status: 'error', error: text, finishedAt: timestamp(ports.clock) });
  } finally {
    await flush(ports, source, touched, 1);
  }
  // A process that died may have changed files without notifying the index.
  if (run.status === 'running') await touchChanged(ports, source.workspaceId, [sourceFolder(source.name)]);
  return { isPending };
}

/** Returns the workspace, whose files have origins from now on. Throws NotFound. */
async function workspaceOf({ records }: SourceWorkPorts, { workspaceId }: StoredSource): Promise<Workspace> {
  const workspace = await workspaces.get(records, { id: workspaceId });
  if (workspace === undefined) throw new NotFound('workspace_not_found', 'This workspace does not exist.');
  await addFactSource(records, workspace, 'hasWebPages');
  return { ...workspace, hasWebPages: true };
}

async function keyOf({ secrets }: SourceWorkPorts, { id }: StoredSource): Promise<string> {
  const key = await secrets.get(secretOf(id), { fresh: true });
  if (key !== undefined) return key;
  throw new NotFound('source_key_missing', 'The password or key of this source is missing. Set it again.');
}

export function secretOf(sourceId: string): string {
  return `SOURCE_${sourceId}`;
}

interface Opened {
  source: StoredSource;
  workspace: Workspace;
  remote: RemoteSource;
  held: Held;
  touched: Set<string>;
  /** Missing for a removal, which asks the source for nothing. */
  patience?: FileWork['patience'];
}

function fileWork(
  { records, clock }: SourceWorkPorts,
  { source, workspace, remote, held, touched, patience = { listMs: 0, fileMs: 0 } }: Opened,
): FileWork {
  return {
    ...{ records, clock, source, remote, signal: held.signal, room: 0, patience },
    ...{ workspace, rootPath: workspace.rootPath, folder: sourceFolder(source.name) },
    requireHeld: () => held.requireHeld(),
    changed: (paths) => {
      for (const path of paths) touched.add(path);
    },
  };
}

function throttled(work: () => Promise<unknown>): () => Promise<void> {
  let next = 0;
  return async () => {
    if (performance.now() < next) return;
    next = performance.now() + REPORT_EVERY_MS;
    await work();
  };
}

/** Notifies the index, once enough files have changed. */
async function flush(ports: SourceWorkPorts, source: StoredSource, touched: Set<string>, least: number) {
  if (touched.size < least) return;
  const paths = [...touched];
  touched.clear();
  for (let at = 0; at < paths.length; at += TOUCH_AT_ONCE)
    await touchChanged(ports, source.workspaceId, paths.slice(at, at + TOUCH_AT_ONCE));
}

/** Removes a source: by default its files, unless they were changed here, then its records, and itself. */
async function removeSource(ports: SourceWorkPorts, source: StoredSource, held: Held): Promise<void> {
  const { records } = ports;
  const workspace = await workspaces.get(records, { id: source.workspaceId });
  if (source.removing === 'files' && workspace !== undefined) {
    const touched = new Set<string>();
    const work = fileWork(ports, { source, workspace, remote: {} as RemoteSource, held, touched });
    for await (const file of sourceFiles.all(records, { partition: sourceFilesPartition(source.id) })) {
      held.signal.throwIfAborted();
      await dropFile(work, file);
    }
    await removeEmptyFolders(work);
    await flush(ports, source, touched, 1);
  }
  await dropRecords(records, source.id);
  held.stop();
  await sourceLeases.remove(ports, source);
}

/** Removes all records of a source, except its own. */
export async function dropRecords(records: Records, sourceId: string): Promise<void> {
  for (const partition of [sourceFilesPartition, sourceObjectsPartition, sourceRunsPartition])
    await dropPartition(records, partition(sourceId));
}

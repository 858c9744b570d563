import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { locator } from '../../datasets/links/mounts.ts';
import { embeddingSpaceOf } from '../../passages/embedding-space.ts';
import { readFilledSpace } from '../../passages/search-space.ts';
import { readTableId } from '../../passages/tables.ts';
import { sendIndex, touchGroups, touchLater } from '../enqueue.ts';
import { isAlive } from '../is-alive.ts';
import type { Batch, FileResult, GoesOn, IndexMessage, MessageRow } from '../messages.ts';
import type { IndexedWorkspace, IndexPorts } from '../ports.ts';
import { toBatches, withPossibleCopies } from '../scan/batches.ts';
import { keepSkipped } from '../scan/keep-skipped.ts';
import { knownBelow } from '../scan/known-below.ts';
import { isBelowAny, leaveOutPictures, type WalkedFile } from '../scan/walk.ts';
import { presentIn } from '../scan/walk-mounted.ts';
import { filesPartition, type IndexedFile, indexedFiles, isDone, readKnownFiles, syncs } from '../schema.ts';
import { leaveToSync } from '../sync.ts';
import { leaveOlder, listBegun, waitForFound } from '../waiting-files.ts';
import { type Reading, readForIndex } from './read-file.ts';
import { ROWS_AT_ONCE, sendResults, tellRead, type Unembedded } from './send-results.ts';

/** The number of files that a worker reads concurrently. */
const READS_AT_ONCE = 8;
/** Milliseconds between two reports to the writer of how many files of a batch are read. */
const TELL_EVERY_MS = 3000;
/**
 * The maximum number of restarts. Without it, a file that changes faster than it's embedded would restart
 * forever, and other files would wait.
 */
const MAX_RESTARTS = 2;

/** Seconds to delay a batch if another worker is reading some of its files. */
const BEGUN_SECONDS = 2;

interface Request {
  paths: string[];
  /** Indexed paths to remove, unless they still exist. */
  removed: string[];
  possibleCopies(hash: string, path: string): Promise<IndexedFile[]>;
  batch?: Batch | undefined;
  goesOn?: GoesOn | undefined;
  /**
   * Whether files are read and written again although their records say that they are unchanged, because the
   * rows may be wrong.
   */
  fresh?: boolean | undefined;
}

/**
 * Indexes a batch of a sync, or the rest of a batch or a `touch`. While a *touch* is reading files of a
 * batch, the batch waits: afterwards, it finds them unchanged instead of embedding them a second time.
 */
export async function indexBatch(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  message: Extract<IndexMessage, { kind: 'files' }>,
): Promise<void> {
  const paths = message.files.map(({ path }) => path);
  const isFirst = message.batch !== undefined && message.goesOn === undefined;
  if (isFirst && (await isAnyBeingRead(ports, workspace, paths)))
    return sendIndex(ports.indexQueue, workspace.id, [message], BEGUN_SECONDS);
  const copyPaths = new Map(message.files.map(({ path, possibleCopies }) => [path, possibleCopies]));
  await indexPaths(ports, workspace, {
    paths,
    removed: message.removed,
    possibleCopies: async (hash, path) =>
      (copyPaths.get(path) ?? []).length === 0 ? [] : findByHash(ports, workspace.id, hash),
    batch: message.batch,
    goesOn: message.goesOn,
    fresh: message.goesOn?.fresh,
  });
}

/** Returns whether another worker is reading any of the files as they are now. */
async function isAnyBeingRead(ports: IndexPorts, workspace: IndexedWorkspace, paths: string[]) {
  const locate = locator(ports.records, workspace);
  for (const { path, ctimeMs } of await listBegun(ports, workspace.id, paths)) {
    const { root, path: place } = await locate(path);
    const stats = await stat(join(root, place)).catch(() => undefined);
    if (stats?.ctimeMs === ctimeMs) return true;
  }
  return false;
}

/** Indexes the paths of a `touch` message. Each may be a file or a folder, and may exist or be deleted. */
export async function indexTouched(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  { paths, fresh, isPart }: { paths: string[]; fresh?: boolean | undefined; isPart?: boolean | undefined },
): Promise<void> {
  if (!fresh && (await leftToSync(ports, workspace.id, paths)))
    return touchLater(ports.indexQueue, workspace.id, paths); // the files stay marked
  const { present, removed, known } = await compareBelow(ports, workspace, paths, fresh);
  const left = fresh ? 'few' : await leaveToSync(ports, workspace.id, present.length + removed.length);
  if (left === 'later') return touchLater(ports.indexQueue, workspace.id, paths); // the files stay marked
  if (left === 'started') return;
  const batches = toBatches(withPossibleCopies(present, known), removed);
  const isSplit = batches.length > 1 && !isPart;
  await waitForFound(ports, workspace.id, { asked: paths, found: present, removed, begins: !isSplit });
  if (isSplit) {
    // The paths are too many for one message, for example after a large folder was moved, so they are sent
    // again in parts.
    const groups = batches.map(({ files, removed: gone }) => [...files.map(({ path }) => path), ...gone]);
    return touchGroups(ports.indexQueue, workspace.id, groups, { ...(fresh && { fresh }), isPart: true });
  }
  await indexPaths(ports, workspace, {
    paths: present.map(({ path }) => path),
    removed,
    possibleCopies: async (hash) => (fresh ? [] : findByHash(ports, workspace.id, hash)),
    fresh,
  });
}

/** Leaves the changes to a running sync if it started after all of them, because it then reads them. */
async function leftToSync(ports: IndexPorts, workspaceId: string, paths: string[]): Promise<boolean> {
  const sync = await syncs.get(ports.records, { workspaceId });
  if (sync === undefined || !isAlive(sync, ports.clock)) return false;
  return leaveOlder(ports.records, workspaceId, { paths, before: Date.parse(sync.startedAt) });
}

/**
 * Returns the files below the paths, the index records below them, and those of the records whose files were
 * deleted. `fresh` paths may have rows without a record, so they count as known.
 */
async function compareBelow(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  touched: string[],
  fresh = false,
) {
  const { id, rootPath } = workspace;
  const realRoot = await realpath(rootPath).catch(() => undefined);
  // If the root is missing, its files must not count as removed.
  if (realRoot === undefined) return { present: [], removed: [], known: [] };
  const present = new Map<string, WalkedFile>();
  const known = new Map<string, IndexedFile>();
  const unreadable: string[] = [];
  const partition = filesPartition(id);
  for (const path of touched) {
    for await (const file of knownBelow(ports.records, indexedFiles, { workspaceId: id, path, partition }))
      known.set(file.path, file);
    const found = await presentIn(ports.records, workspace, path);
    const isKept = (each: string) => ports.recognizer !== undefined || known.has(each);
    const walked = leaveOutPictures(found, isKept);
    await keepSkipped(ports.records, id, path, walked);
    for (const file of walked.files) present.set(file.path, file);
    unreadable.push(...walked.unreadable);
  }
  const indexed = new Set([...known.keys(), ...(fresh ? touched : [])]);
  const removed = [...indexed].filter((path) => !present.has(path) && !isBelowAny(path, unreadable));
  return { present: [...present.values()], removed, known: [...known.values()] };
}

async function findByHash(
  { records }: IndexPorts,
  workspaceId: string,
  hash: string,
): Promise<IndexedFile[]> {
  const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: `${hash}#`, limit: 10 };
  return (await indexedFiles.list(records, query)).items;
}

/**
 * Reads the files, embeds texts across files, and sends the results to the workspace's writer. Results
 * without embedding go first, so that copies come before the removal of their originals.
 */
async function indexPaths(ports: IndexPorts, workspace: IndexedWorkspace, request: Request): Promise<void> {
  const { batch, goesOn, fresh } = request;
  const startedAt = ports.clock.now();
  const known = await readKnownFiles(ports.records, workspace.id, request.paths);
  const readings = await readAll(ports, workspace, request, known);
  const begun = goesOn?.begun;
  const chunked = readings.filter((reading) => reading.outcome === 'chunked');
  const isContinued = begun && chunked.some((each) => goesOnAs(each, begun.file, known.get(each.path)));
  const restarts = begun === undefined ? 0 : begun.restarts + (isContinued ? 0 : 1);
  const readAt = ports.clock.now();
  const results: FileResult[] = [
    ...readings.flatMap((reading) => (reading.outcome === 'chunked' ? [] : toResult(reading))),
    ...request.removed.map((path) => ({ outcome: 'removed' as const, path, readAt })),
    ...chunked.flatMap((reading) => toParts(reading, isContinued ? begun : undefined)),
  ];
  if (begun?.isNew) known.delete(begun.file.path);
  const left = await sendResults(ports, workspace.id, {
    results,
    known,
    batch,
    tally: goesOn?.tally,
    startedAt,
    unsteady: restarts > MAX_RESTARTS ? begun?.file.path : undefined,
  });
  const again = begun && { path: begun.file.path, restarts };
  if (left !== undefined) await goOn(ports, workspace.id, { batch, known, left, again, fresh });
}

interface Left {
  batch: Batch | undefined;
  known: Map<string, IndexedFile>;
  left: Unembedded;
  /** The file that this message continues or restarts. */
  again: { path: string; restarts: number } | undefined;
  fresh: boolean | undefined;
}

/** Sends a message that continues from here. The writer already has the embedded texts. */
async function goOn(
  { indexQueue }: IndexPorts,
  workspaceId: string,
  { batch, known, left, again, fresh }: Left,
): Promise<void> {
  const { results, tally } = left;
  const first = results.find((result) => result.outcome === 'indexed');
  const row = first?.rows[0]?.chunk ?? 0;
  const restarts = first?.path === again?.path ? (again?.restarts ?? 0) : 0;
  const begun =
    first && row > 0 ? { file: first.file, row, isNew: !known.has(first.path), restarts } : undefined;
  const paths = [...new Set(results.map(({ path }) => path))];
  const body: IndexMessage = {
    kind: 'files',
    workspaceId,
    batch,
    files: paths.map((path) => ({ path, possibleCopies: [] })),
    removed: [],
    goesOn: { tally, begun, fresh },
  };
  await sendIndex(indexQueue, workspaceId, [body]);
}

async function readAll(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  request: Request,
  known: Map<string, IndexedFile>,
): Promise<Reading[]> {
  const readings: Reading[] = new Array(request.paths.length);
  let toldAt = ports.clock.now();
  const locate = locator(ports.records, workspace);
  const space = await readFilledSpace(ports.records, workspace.id, embeddingSpaceOf(ports.embedder));
  const table = await readTableId(ports, { workspaceId: workspace.id, space });
  await forEachConcurrent(request.paths.entries(), READS_AT_ONCE, async ([index, path]) => {
    readings[index] = await readForIndex(
      ports,
      {
        workspaceId: workspace.id,
        location: await locate(path),
        space,
        table,
        known: request.fresh ? undefined : known.get(path),
        possibleCopies: (hash) => request.possibleCopies(hash, path),
      },
      path,
    );
    if (request.batch !== undefined && ports.clock.now() - toldAt >= TELL_EVERY_MS) {
      toldAt = ports.clock.now();
      const results = readings.flatMap((reading) => [toOutcome(reading)]); // except those still being read
      await tellRead(ports, workspace.id, {
        results,
        known,
        batch: request.batch,
        tally: request.goesOn?.tally,
      });
    }
  });
  return readings;
}

/** Returns the result without its rows. */
function toOutcome(reading: Reading): FileResult {
  if (reading.outcome !== 'chunked') return toResult(reading);
  const { path, readAt, file } = reading;
  return { outcome: 'indexed', path, readAt, rows: [], file, last: true };
}

function toResult(reading: Exclude<Reading, { outcome: 'chunked' }>): FileResult {
  const { outcome, path, readAt } = reading;
  if (outcome === 'missing') return { outcome: 'removed', path, readAt };
  if (outcome === 'failed') return { outcome, path, readAt, file: reading.file };
  const { file, from } = reading;
  return from === undefined
    ? { outcome: 'unchanged', path, readAt, file }
    : { outcome: 'copied', path, readAt, file, from };
}

type Chunked = Extract<Reading, { outcome: 'chunked' }>;

/**
 * Returns a file's rows, not yet embedded, in parts if there are many, and without those that were already
 * committed from the same reading.
 */
function toParts(reading: Chunked, begun: GoesOn['begun']): FileResult[] {
  const { path, chunks } = reading;
  const continued = begun?.file.path === path ? begun : undefined;
  const file = continued?.file ?? reading.file;
  const rows = chunks.map((chunk, index): MessageRow => ({ ...chunk, chunk: index, vector: null }));
  const parts: FileResult[] = [];
  for (let start = continued?.row ?? 0; parts.length === 0 || start < rows.length; start += ROWS_AT_ONCE) {
    const last = start + ROWS_AT_ONCE >= rows.length;
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    parts.push({ outcome: 'indexed', path, readAt: file.readAt, rows: some, file, last });
  }
  return parts;
}

/**
 * Returns true if the file is unchanged since its first rows were sent, and no other worker has read it
 * since. The writer then accepts the rest as part of that reading.
 */
function goesOnAs({ file }: Chunked, begun: IndexedFile, known: IndexedFile | undefined): boolean {
  if (file.path !== begun.path || file.chunks !== begun.chunks) return false;
  return (
    isDone(begun, { ...file, table: begun.table }) && (known === undefined || known.readAt <= begun.readAt)
  );
}

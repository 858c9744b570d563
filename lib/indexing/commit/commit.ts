import { LEFT_TO_CALLS_BYTES, withDiskReserve } from '../../async/disk-reserve.ts';
import { locator } from '../../datasets/links/mounts.ts';
import { extractsPrefix } from '../../formats/extract-key.ts';
import { newId } from '../../identifiers.ts';
import { LeaseLost } from '../../leases/hold.ts';
import { keepSample } from '../../passages/model-sample.ts';
import { indexes, type SearchIndex } from '../../passages/search-space.ts';
import { NO_ID, passageTables, prepareTable, readTableId, tablesPartition } from '../../passages/tables.ts';
import { statAll } from '../../paths/stat-all.ts';
import { ifExpected, type Records } from '../../ports/records.ts';
import { dropQuotesIn } from '../../quotations/records/keep-quotes.ts';
import type { Collection } from '../../records/collection.ts';
import { type Workspace, workspaces } from '../../workspaces/schema.ts';
import { askForMaintenance, touchIndex } from '../enqueue.ts';
import type { CommitMessage, FileResult, FinishedBatch } from '../messages.ts';
import type { CommitPorts, WriterPorts } from '../ports.ts';
import { pendingPartition, pendingRecognitions, recognitionRuns } from '../recognize/schema.ts';
import {
  filesPartition,
  folderLooks,
  type IndexedFile,
  indexedFiles,
  isRecordable,
  readKnownFiles,
  type Sync,
  skippedFiles,
  skippedLists,
  skippedPartition,
  syncs,
} from '../schema.ts';
import { startSync } from '../sync.ts';
import { unmarkCommitted, waitingFiles, waitingPartition } from '../waiting-files.ts';
import { folderWatches } from '../watch/schema.ts';
import { cleanLater, dropCleanings } from './cleaning.ts';
import { copyRows, ownRows, refuseVectors, trimsOf } from './commit-rows.ts';
import { addFileCounts, beginCounting, countAgain, countChanges, reliableCounts } from './file-counts.ts';
import { asOnlyWriter } from './only-writer.ts';
import { countBatches, showEmbedded, takePlan, takeProbe, takeSplit } from './progress.ts';
import { askForChecks } from './quote-checks.ts';
import { renewalOf } from './renewal.ts';
import { extractWalks, planRemovals, staleExtracts, stalePartition, TEXT_LOST } from './stale-extracts.ts';

type Results = Extract<CommitMessage, { kind: 'results' }>;
const FILES_AT_ONCE = 500;
/** In place of a commit: files may have been stored after the lease, over those of the next holder. */
const LATE_WRITE = 'late-write';
/** Text search over rows that came after the last maintenance is slow: 0.8 s per query with 24,000 of them. */
const MAINTAIN_AFTER_ROWS = 5000;
const MAINTAIN_AFTER_COMMITS = 50;

/**
 * Processes a workspace's messages in order, as the only writer of its tables. Throws LeaseLost if the worker was paused past
 * its lease: the messages come again, and files that it may have written late are read again.
 */
export async function commitMessages(ports: CommitPorts, messages: CommitMessage[]): Promise<void> {
  const [first] = messages;
  if (first !== undefined)
    await asOnlyWriter(ports, first, (held) => commitInOrder({ ...ports, held }, messages));
}

/** Neighboring results become one commit. A deleted workspace stays deleted. */
async function commitInOrder(ports: WriterPorts, messages: CommitMessage[]): Promise<void> {
  let workspace = await workspaces.get(ports.records, { id: messages[0]?.workspaceId ?? '' });
  const pending: Results[] = [];
  const flush = async () => {
    const batch = pending.splice(0);
    if (workspace !== undefined && batch.length > 0) await commitResults(ports, workspace, batch);
  };
  for (const message of messages) {
    const joins = message.kind === 'results' && (pending[0]?.space ?? message.space) === message.space;
    if (!joins) await flush();
    if (message.kind === 'results') pending.push(message);
    else await takeOther(ports, message, workspace);
    if (message.kind === 'drop') workspace = undefined; // later messages belong to the dropped index
  }
  await flush();
}

async function takeOther(
  ports: WriterPorts,
  message: Exclude<CommitMessage, Results>,
  workspace: Workspace | undefined,
): Promise<void> {
  ports.held.requireHeld();
  if (message.kind === 'drop')
    return withDiskReserve(() => dropAll(ports, message.workspaceId), LEFT_TO_CALLS_BYTES);
  if (workspace === undefined) return;
  if (message.kind === 'plan') return takePlan(ports, message);
  if (message.kind === 'split') return takeSplit(ports, message);
  if (message.kind === 'probe') return takeProbe(ports, message);
  return askForMaintenance(ports, [message]);
}

/**
 * Rows first, then what is known of the files, then the sync's progress: cut short anywhere, the same messages come
 * again and write the same. A batch counts as done although its lost files are still to be read: they come by a touch
 * right after it, and a sync that fails meanwhile has no record of them, so the next one reads them.
 */
async function commitResults(ports: WriterPorts, workspace: Workspace, messages: Results[]): Promise<void> {
  const { id: workspaceId } = workspace;
  const isProgress = messages.every(
    ({ results, finishes }) => results.length === 0 && finishes === undefined,
  );
  if (isProgress) return advanceSync(ports, workspaceId, { messages, errors: [] });
  const space = messages[0]?.space ?? '';
  const all = messages.flatMap(({ results }) => results).filter(({ path }) => isRecordable(path));
  const known = await readKnownFiles(
    ports.records,
    workspaceId,
    all.map(({ path }) => path),
  );
  const results = await withoutGone(ports.records, workspace, latestReadings(all, known), known);
  const renewal = renewalOf(ports, { workspaceId, space });
  const accepted = await acceptRows(ports, { workspaceId, space, results, known }, renewal.explain);
  const { table, found, done, rows, lost, errors } = accepted;
  const index = await indexes.get(ports.records, { workspaceId });
  const isNew = found === undefined && rows.length > 0;
  const id = isNew ? await prepareTable(ports, { workspaceId, space }) : (found ?? NO_ID);
  const trims = trimsOf(done, known, space);
  const extracts = await planRemovals(ports, workspaceId, { results: all, done, known });
  const stored = recordsOf({ table: id, textLost: extracts.lost }, done, known);
  const { gains, isMoved } = countChanges(known, stored);
  const isCounted = reliableCounts(index) !== undefined;
  const counting = isCounted && isMoved ? newId() : undefined;
  await writeFenced(ports, workspaceId, done, async () => {
    await table.write(rows, trims);
    await keepSample(ports.records, { workspaceId, space }, rows);
    ports.held.requireHeld();
    if (counting !== undefined) await beginCounting(ports.records, workspaceId, counting);
    await storeRecords(ports, workspaceId, stored);
  });
  await extracts.settle();
  await askForChecks(ports, workspaceId, done);
  for (const path of extracts.lost) lost.add(path);
  if (lost.size > 0) await touchIndex(ports.indexQueue, workspaceId, [...lost], { fresh: true });
  await settleSpace(ports, index, { workspaceId, space });
  const gained = isCounted ? { gains, counting } : undefined;
  await countCommit(ports, { workspaceId, space }, { rows: rows.length, gained });
  await unmarkCommitted(
    ports.records,
    workspaceId,
    all.filter(({ path }) => !lost.has(path)),
  ); // after they are counted: none that waits no longer is missing in the numbers
  await advanceSync(ports, workspaceId, { messages, errors });
  await renewal.start();
}

interface Rows {
  workspaceId: string;
  space: string;
  results: FileResult[];
  known: Map<string, IndexedFile>;
}

/** The table, the rows that it gets, and the results that they are of: without those that rest on rows which are lost. */
async function acceptRows(
  ports: WriterPorts,
  { workspaceId, space, results, known }: Rows,
  explain: Parameters<typeof refuseVectors>[2],
) {
  const table = await ports.vectors.open(workspaceId, space);
  const found = await readTableId(ports, { workspaceId, space });
  const { copied, lost } = await copyRows({ table, id: found }, results, known);
  const wanted = results.filter(({ path }) => !lost.has(path));
  const { done, errors } = await refuseVectors(wanted, await table.dimensions(), explain);
  return { table, found, done, rows: [...done.flatMap(ownRows), ...copied], lost, errors };
}

async function advanceSync(
  ports: WriterPorts,
  workspaceId: string,
  { messages, errors }: { messages: Results[]; errors: Sync['errors'] },
): Promise<void> {
  const underWay = messages.filter(({ finishes }) => finishes === undefined);
  const embedded = underWay.flatMap((message) => message.embedded ?? []);
  await showEmbedded(ports, workspaceId, embedded);
  const finished = messages.flatMap(({ finishes }) => finishes ?? []);
  await countBatches(ports, workspaceId, addErrors(finished, errors));
}

/**
 * A write that was sent under the lease may take effect after it, over what the next holder wrote: its worker was paused in
 * between. The files are then read again, so that what is on disk wins.
 */
async function writeFenced(
  { records, held, indexQueue }: WriterPorts,
  workspaceId: string,
  results: FileResult[],
  write: () => Promise<void>,
): Promise<void> {
  held.requireHeld();
  try {
    await write();
    held.requireHeld();
  } catch (error) {
    const paths = results.map(({ path }) => path);
    if (error instanceof LeaseLost) {
      await touchIndex(indexQueue, workspaceId, paths, { fresh: true });
      await ifExpected(beginCounting(records, workspaceId, LATE_WRITE));
    }
    throw error;
  }
}

interface StoredFiles {
  files: IndexedFile[];
  removed: string[];
}

/** What a commit stores about its files. The later of two parts of one file counts: a store may refuse two writes of one record together. */
function recordsOf(
  { table, textLost }: { table: string; textLost: Set<string> },
  results: FileResult[],
  known: Map<string, IndexedFile>,
): StoredFiles {
  const files = results
    .flatMap((result) => recordOf(result, known.get(result.path), table))
    .map((file) => (textLost.has(file.path) ? { ...file, error: TEXT_LOST } : file));
  const removed = results.filter(({ outcome }) => outcome === 'removed').map(({ path }) => path);
  return { files: [...new Map(files.map((file) => [file.path, file])).values()], removed };
}

async function storeRecords(
  { records }: CommitPorts,
  workspaceId: string,
  { files, removed }: StoredFiles,
): Promise<void> {
  await indexedFiles.putMany(records, files);
  await indexedFiles.deleteMany(
    records,
    removed.map((path) => ({ workspaceId, path })),
  );
}

/** The latest of several readings of a file counts, also against what is known already. */
function latestReadings(results: FileResult[], known: Map<string, IndexedFile>): FileResult[] {
  const latest = new Map<string, number>();
  for (const { path, readAt } of results) {
    latest.set(path, Math.max(readAt, latest.get(path) ?? known.get(path)?.readAt ?? 0));
  }
  return results.filter(({ path, readAt }) => readAt === latest.get(path));
}

/**
 * A file that the index does not know may have been removed after it was read: its record, which would show that a
 * later message overtook this one, went with it. So the file itself is looked at.
 */
async function withoutGone(
  records: Records,
  workspace: Workspace,
  results: FileResult[],
  known: Map<string, IndexedFile>,
): Promise<FileResult[]> {
  const news = results.filter(({ path, outcome }) => outcome !== 'removed' && !known.has(path));
  const locate = locator(records, workspace);
  const places = await Promise.all(news.map(({ path }) => locate(path)));
  const stats = await statAll(places.map(({ root, path }) => `${root}/${path}`));
  const gone = new Set(news.filter((_, index) => stats[index] === undefined).map(({ path }) => path));
  return results.map((result) =>
    gone.has(result.path) ? { outcome: 'removed', path: result.path, readAt: result.readAt } : result,
  );
}

function addErrors([first, ...others]: FinishedBatch[], errors: Sync['errors']): FinishedBatch[] {
  return first === undefined ? [] : [{ ...first, errors: [...first.errors, ...errors] }, ...others];
}

/**
 * The file's record. Between the parts of a large file it says how far its rows may reach, and that it must be read
 * again.
 */
function recordOf(result: FileResult, before: IndexedFile | undefined, table: string): IndexedFile[] {
  if (result.outcome === 'removed') return [];
  const file = { ...result.file, table };
  if (result.outcome !== 'indexed' || result.last) return [file];
  const chunks = Math.max(file.chunks, before?.chunks ?? 0);
  return [{ ...file, chunks, embedded: false, error: 'Indexing this file was interrupted. Sync again.' }];
}

/** The first commit decides where searches look. One into another space (the embedding changed) asks for a sync that fills it. */
async function settleSpace(
  ports: CommitPorts,
  index: SearchIndex | undefined,
  { workspaceId, space }: { workspaceId: string; space: string },
): Promise<void> {
  const { records } = ports;
  if (index === undefined && (await indexes.create(records, { workspaceId, space }))) return;
  const current = index ?? (await indexes.get(records, { workspaceId }));
  if (current?.space !== space) await startSync({ ...ports, space }, workspaceId);
}

type Gained = Parameters<typeof addFileCounts>[3];

/**
 * Plans maintenance for when the table is quiet, and asks for it when much came in since the last. Rows are counted twice after a
 * crash, which does no harm; after one, all files are counted again.
 */
async function countCommit(
  ports: WriterPorts,
  { workspaceId, space }: { workspaceId: string; space: string },
  added: { rows: number; gained: Gained | undefined },
): Promise<void> {
  const { records } = ports;
  const add = { rows: added.rows, commits: 1 };
  const counted = added.gained && (await addFileCounts(records, workspaceId, add, added.gained));
  const { rows = 0, commits = 0 } = counted ?? (await indexes.update(records, { workspaceId }, { add }));
  if (counted === undefined) await countAgain(ports, workspaceId);
  await cleanLater(ports, { workspaceId, space });
  if (rows < MAINTAIN_AFTER_ROWS && commits < MAINTAIN_AFTER_COMMITS) return;
  await askForMaintenance(ports, [{ workspaceId, space }]);
  await indexes.update(records, { workspaceId }, { set: { rows: 0, commits: 0, counted: 0 } });
}

async function dropAll({ records, vectors, objects }: CommitPorts, workspaceId: string): Promise<void> {
  await vectors.drop(workspaceId);
  await dropAllOf(records, pendingRecognitions, pendingPartition(workspaceId)); // without them none of its pages is kept
  await objects.deletePrefix(extractsPrefix(workspaceId));
  await dropAllOf(records, staleExtracts, stalePartition(workspaceId));
  await extractWalks.delete(records, { workspaceId });
  await dropAllOf(records, indexedFiles, filesPartition(workspaceId));
  await dropCleanings(records, workspaceId);
  await dropAllOf(records, waitingFiles, waitingPartition(workspaceId));
  await folderLooks.delete(records, { workspaceId });
  await folderWatches.delete(records, { workspaceId });
  await dropAllOf(records, skippedFiles, skippedPartition(workspaceId));
  await recognitionRuns.delete(records, { workspaceId });
  await skippedLists.delete(records, { workspaceId });
  await dropAllOf(records, passageTables, tablesPartition(workspaceId));
  await dropQuotesIn(records, workspaceId);
  await syncs.delete(records, { workspaceId });
  await indexes.delete(records, { workspaceId });
}

async function dropAllOf<Item extends Id, Id>(
  records: Records,
  { list, deleteMany }: Collection<Item, Id>,
  partition: string,
): Promise<void> {
  for (;;) {
    const { items } = await list(records, { partition, limit: FILES_AT_ONCE });
    if (items.length === 0) return;
    await deleteMany(records, items);
  }
}

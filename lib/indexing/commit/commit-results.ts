import { linkDocuments } from '../../bibliography/link-documents.ts';
import { locator } from '../../datasets/links/mounts.ts';
import { keepCorrections } from '../../documents/documents.ts';
import { newId } from '../../identifiers.ts';
import { LeaseLost } from '../../leases/hold.ts';
import { keepSample } from '../../passages/model-sample.ts';
import { indexes } from '../../passages/search-space.ts';
import { NO_ID, prepareTable, readTableId } from '../../passages/tables.ts';
import { statAll } from '../../paths/stat-all.ts';
import { ifExpected, type Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { askForMaintenance, touchIndex } from '../enqueue.ts';
import type { CommitMessage, FileResult, FinishedBatch } from '../messages.ts';
import type { CommitPorts, WriterPorts } from '../ports.ts';
import { type IndexedFile, indexedFiles, isRecordable, readKnownFiles, type Sync } from '../schema.ts';
import { startSync } from '../sync.ts';
import { unmarkCommitted } from '../waiting-files.ts';
import { cleanLater } from './cleaning.ts';
import { copyRows, ownRows, refuseVectors, trimsOf } from './commit-rows.ts';
import { addFileCounts, beginCounting, countAgain, countChanges, reliableCounts } from './file-counts.ts';
import { isMaintenanceDue } from './maintenance-due.ts';
import { countBatches, showEmbedded } from './progress.ts';
import { askForChecks } from './quote-checks.ts';
import { renewalOf } from './renewal.ts';
import { planRemovals, TEXT_LOST } from './stale-extracts.ts';

export type Results = Extract<CommitMessage, { kind: 'results' }>;
/**
 * Stored in place of a commit's name if files may have been written after the lease had ended, over those of
 * its next holder.
 */
const LATE_WRITE = 'late-write';

/**
 * Stores the rows first, then the file records, then the sync's progress. After an interruption at any point,
 * the same messages arrive again and write the same data. A batch counts as done although its lost files must
 * still be read. A touch for them follows; if a sync fails before that, they have no record, so the next sync
 * reads them.
 */
export async function commitResults(
  ports: WriterPorts,
  workspace: Workspace,
  messages: Results[],
): Promise<void> {
  const { id: workspaceId } = workspace;
  if (messages.every(isProgress)) return advanceSync(ports, workspaceId, { messages, errors: [] });
  const batch = await readBatch(ports, workspace, messages);
  const renewal = renewalOf(ports, batch);
  const rows = await acceptRows(ports, batch, renewal.explain);
  const write = await planWrite(ports, batch, rows);
  await writeFenced(ports, write);
  await write.extracts.settle();
  await keepCorrections(ports.records, workspaceId, rows.done.flatMap(indexedDocument));
  await linkDocuments(ports.records, workspace, changedFiles(rows.done));
  await askForChecks(ports, workspaceId, rows.done);
  await readLostAgain(ports, write);
  await settleSpace(ports, write);
  await countCommit(ports, write);
  // After the files are counted.
  await unmarkCommitted(ports.records, workspaceId, withoutPaths(batch.received, write.lost));
  await advanceSync(ports, workspaceId, { messages, errors: rows.errors });
  await renewal.start();
}

function indexedDocument(result: FileResult) {
  if (!('file' in result) || result.file.hash === '') return [];
  return [{ path: result.path, hash: result.file.hash, isCopy: result.outcome === 'copied' }];
}

function changedFiles(results: FileResult[]) {
  const files = results.flatMap((result) =>
    'file' in result && result.outcome !== 'unchanged' ? result.file : [],
  );
  const pathsOf = (found: IndexedFile[]) => found.map(({ path }) => path);
  const [bibliographies, others] = [true, false].map((is) =>
    pathsOf(files.filter(({ reason }) => (reason === 'bibliography') === is)),
  );
  const removed = results.filter(({ outcome }) => outcome === 'removed').map(({ path }) => path);
  return { bibliographies: bibliographies ?? [], others: others ?? [], removed };
}

function isProgress({ results, finishes }: Results): boolean {
  return results.length === 0 && finishes === undefined;
}

interface Batch {
  workspaceId: string;
  space: string;
  /** All results of the messages. */
  received: FileResult[];
  /** The results for which there is no later reading. */
  results: FileResult[];
  /** The file records before this commit. */
  known: Map<string, IndexedFile>;
}

async function readBatch(ports: WriterPorts, workspace: Workspace, messages: Results[]): Promise<Batch> {
  const { records } = ports;
  const { id: workspaceId } = workspace;
  const received = messages.flatMap(({ results }) => results).filter(({ path }) => isRecordable(path));
  const paths = received.map(({ path }) => path);
  const known = await readKnownFiles(records, workspaceId, paths);
  const results = await withoutGone(records, workspace, latestReadings(received, known), known);
  return { workspaceId, space: messages[0]?.space ?? '', received, results, known };
}

type AcceptedRows = Awaited<ReturnType<typeof acceptRows>>;

/** Returns the table, the rows to add, and their results, omitting results that depend on lost rows. */
async function acceptRows(
  ports: WriterPorts,
  { workspaceId, space, results, known }: Batch,
  explain: Parameters<typeof refuseVectors>[2],
) {
  const table = await ports.vectors.open(workspaceId, space);
  const id = await readTableId(ports, { workspaceId, space });
  const { copied, lost } = await copyRows({ table, id }, results, known);
  const wanted = withoutPaths(results, lost);
  const { done, errors } = await refuseVectors(wanted, await table.dimensions(), explain);
  return { table, id, done, rows: [...done.flatMap(ownRows), ...copied], lost, errors };
}

type PlannedWrite = Awaited<ReturnType<typeof planWrite>>;

/**
 * Plans the writes of `writeFenced`, without changing anything that a search could see. Files whose text is
 * lost must be read again, too.
 */
async function planWrite(ports: WriterPorts, batch: Batch, { table, id, done, rows, lost }: AcceptedRows) {
  const { workspaceId, space, received, known } = batch;
  // Read here, because vectors of another model may have changed it.
  const index = await indexes.get(ports.records, { workspaceId });
  const isNew = id === undefined && rows.length > 0;
  const tableId = isNew ? await prepareTable(ports, { workspaceId, space }) : (id ?? NO_ID);
  const extracts = await planRemovals(ports, workspaceId, { results: received, done, known });
  const files = recordsOf({ table: tableId, textLost: extracts.lost }, done, known);
  return {
    ...{ workspaceId, space, index, table, rows, extracts, files },
    trims: trimsOf(done, known, space),
    counting: reliableCounts(index) && countingOf(countChanges(known, files)),
    lost: new Set([...lost, ...extracts.lost]),
    paths: done.map(({ path }) => path),
  };
}

/**
 * Returns the changes of the file counts, with a name if there are any. After an interrupted commit, the
 * index still has that name.
 */
function countingOf({ gains, isMoved }: ReturnType<typeof countChanges>) {
  return { gains, counting: isMoved ? newId() : undefined };
}

/**
 * If this worker is paused, a write that it sent under the lease may take effect after the lease, over the
 * next holder's write. The files are then read again, so that the index matches the files on disk.
 */
async function writeFenced(ports: WriterPorts, write: PlannedWrite): Promise<void> {
  const { records, held, indexQueue } = ports;
  const { workspaceId, paths } = write;
  held.requireHeld();
  try {
    await writeRows(ports, write);
    await storeRecords(ports, write);
    held.requireHeld();
  } catch (error) {
    if (error instanceof LeaseLost) {
      await touchIndex(indexQueue, workspaceId, paths, { fresh: true });
      await ifExpected(beginCounting(records, workspaceId, LATE_WRITE));
    }
    throw error;
  }
}

async function writeRows(
  { records, held }: WriterPorts,
  { workspaceId, space, table, rows, trims }: PlannedWrite,
): Promise<void> {
  await table.write(rows, trims);
  await keepSample(records, { workspaceId, space }, rows);
  held.requireHeld();
}

async function storeRecords(
  { records }: CommitPorts,
  { workspaceId, files: { files, removed }, counting }: PlannedWrite,
): Promise<void> {
  const name = counting?.counting;
  if (name !== undefined) await beginCounting(records, workspaceId, name);
  await indexedFiles.putMany(records, files);
  await indexedFiles.deleteMany(
    records,
    removed.map((path) => ({ workspaceId, path })),
  );
}

async function readLostAgain(
  { indexQueue }: WriterPorts,
  { workspaceId, lost }: PlannedWrite,
): Promise<void> {
  if (lost.size > 0) await touchIndex(indexQueue, workspaceId, [...lost], { fresh: true });
}

function withoutPaths(results: FileResult[], paths: Set<string>): FileResult[] {
  return results.filter(({ path }) => !paths.has(path));
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

interface StoredFiles {
  files: IndexedFile[];
  removed: string[];
}

/**
 * Returns the file records that a commit stores. Of two parts of one file, the later counts, because a store
 * may refuse a batch that writes a record twice.
 */
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

/** Only the latest of several readings of a file counts, including the one already stored. */
function latestReadings(results: FileResult[], known: Map<string, IndexedFile>): FileResult[] {
  const latest = new Map<string, number>();
  for (const { path, readAt } of results) {
    latest.set(path, Math.max(readAt, latest.get(path) ?? known.get(path)?.readAt ?? 0));
  }
  return results.filter(({ path, readAt }) => readAt === latest.get(path));
}

/**
 * A file without a record may have been removed after it was read. The record that would show that a later
 * message has replaced this one was deleted too, so the file itself is checked.
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
 * Returns the file's record. Between the parts of a large file, it states how many rows there may be, and
 * that the file must be read again.
 */
function recordOf(result: FileResult, before: IndexedFile | undefined, table: string): IndexedFile[] {
  if (result.outcome === 'removed') return [];
  const file = { ...result.file, table };
  if (result.outcome !== 'indexed' || result.last) return [file];
  const chunks = Math.max(file.chunks, before?.chunks ?? 0);
  return [{ ...file, chunks, embedded: false, error: 'Indexing this file was interrupted. Sync again.' }];
}

/**
 * The first commit decides which table is searched. A commit to another space (because the embedding model
 * has changed) requests a sync that fills that space.
 */
async function settleSpace(ports: WriterPorts, { workspaceId, space, index }: PlannedWrite): Promise<void> {
  const { records } = ports;
  if (index === undefined && (await indexes.create(records, { workspaceId, space }))) return;
  const current = index ?? (await indexes.get(records, { workspaceId }));
  if (current?.space !== space) await startSync({ ...ports, space }, workspaceId);
}

/**
 * Schedules maintenance for a time when the table is idle, and requests it at once if many rows were added
 * since the last one. After a crash, rows are counted twice, which is harmless; after maintenance, all files
 * are counted again.
 */
async function countCommit(
  ports: WriterPorts,
  { workspaceId, space, table, rows: written, counting }: PlannedWrite,
): Promise<void> {
  const { records } = ports;
  const add = { rows: written.length, commits: 1 };
  const counted = counting && (await addFileCounts(records, workspaceId, add, counting));
  const since = counted ?? (await indexes.update(records, { workspaceId }, { add }));
  if (counted === undefined) await countAgain(ports, workspaceId);
  await cleanLater(ports, { workspaceId, space }, ports.vectors.keepVersionsMs);
  if (!(await isMaintenanceDue(since, table))) return;
  await askForMaintenance(ports, [{ workspaceId, space }]);
  await indexes.update(records, { workspaceId }, { set: { rows: 0, commits: 0, counted: 0 } });
}

import type { FileTrim, PassageRow, PassageTable } from '../ports/vectors.ts';
import { workspaces } from '../workspaces/schema.ts';
import type { CommitMessage, FileResult, MessageRow } from './messages.ts';
import type { CommitPorts } from './ports.ts';
import { countBatches, takePlan, takeSplit } from './progress.ts';
import { touchIndex } from './requests.ts';
import { filesPartition, type IndexedFile, indexedFiles, indexes, syncs } from './schema.ts';
import { startSync } from './sync.ts';

type Results = Extract<CommitMessage, { kind: 'results' }>;
const FILES_AT_ONCE = 500;

/** Does a workspace's messages in order; neighbouring results become one commit. A workspace that is gone stays gone. */
export async function commitMessages(ports: CommitPorts, messages: CommitMessage[]): Promise<void> {
  const workspaceId = messages[0]?.workspaceId ?? '';
  const exists = (await workspaces.get(ports.records, { id: workspaceId })) !== undefined;
  const pending: Results[] = [];
  const flush = async () => {
    const batch = pending.splice(0);
    if (exists && batch.length > 0) await commitResults(ports, workspaceId, batch);
  };
  for (const message of messages) {
    const joins = message.kind === 'results' && (pending[0]?.space ?? message.space) === message.space;
    if (!joins) await flush();
    if (message.kind === 'results') pending.push(message);
    else if (exists || message.kind === 'drop') await takeOther(ports, message);
  }
  await flush();
}

async function takeOther(ports: CommitPorts, message: Exclude<CommitMessage, Results>): Promise<void> {
  if (message.kind === 'plan') return takePlan(ports, message);
  if (message.kind === 'split') return takeSplit(ports, message);
  if (message.kind === 'drop') return dropAll(ports, message.workspaceId);
  const table = await ports.vectors.open(message.workspaceId, message.space);
  await table.maintain();
}

/**
 * Rows first, then what is known of the files, then the sync's progress: cut short anywhere, the same messages come
 * again and write the same.
 */
async function commitResults(ports: CommitPorts, workspaceId: string, messages: Results[]): Promise<void> {
  const { records, vectors } = ports;
  const space = messages[0]?.space ?? '';
  const all = messages.flatMap(({ results }) => results);
  const known = await readKnown(ports, workspaceId, all);
  const results = latestReadings(all, known);
  const table = await vectors.open(workspaceId, space);
  const { copied, lost } = await copyRows(table, results);
  const done = results.filter(({ path }) => !lost.has(path));
  await table.write([...done.flatMap(ownRows), ...copied], trimsOf(done, known, space));
  await indexedFiles.putMany(records, done.flatMap(recordOf));
  await indexedFiles.deleteMany(
    records,
    done.flatMap(({ outcome, path }) => (outcome === 'removed' ? [{ workspaceId, path }] : [])),
  );
  if (lost.size > 0) await touchIndex(ports.indexQueue, workspaceId, [...lost]);
  await settleSpace(ports, workspaceId, space);
  await countBatches(
    ports,
    workspaceId,
    messages.flatMap(({ finishes }) => finishes ?? []),
  );
}

async function readKnown({ records }: CommitPorts, workspaceId: string, results: FileResult[]) {
  const paths = [...new Set(results.map(({ path }) => path))];
  const found = await indexedFiles.getMany(
    records,
    paths.map((path) => ({ workspaceId, path })),
  );
  return new Map(found.map((file) => [file.path, file]));
}

/** Of several readings of a file the latest counts, also against what is known already. */
function latestReadings(results: FileResult[], known: Map<string, IndexedFile>): FileResult[] {
  const latest = new Map<string, number>();
  for (const { path, readAt } of results) {
    latest.set(path, Math.max(readAt, latest.get(path) ?? known.get(path)?.readAt ?? 0));
  }
  return results.filter(({ path, readAt }) => readAt === latest.get(path));
}

/** The rows of files that are copies of others. Where the other is no longer what it was, the copy is `lost` and must be read. */
async function copyRows(
  table: PassageTable,
  results: FileResult[],
): Promise<{ copied: PassageRow[]; lost: Set<string> }> {
  const copied: PassageRow[] = [];
  const lost = new Set<string>();
  for (const result of results) {
    if (result.outcome !== 'copied') continue;
    const rows = await table.rowsOf(result.from);
    const whole =
      rows.length === result.file.chunks && rows.every(({ fileHash }) => fileHash === result.file.hash);
    if (whole) copied.push(...rows.map((row) => ({ ...row, path: result.path })));
    else lost.add(result.path);
  }
  return { copied, lost };
}

function ownRows(result: FileResult): PassageRow[] {
  if (result.outcome !== 'indexed') return [];
  const { path, file } = result;
  return result.rows.map((row) => ({ ...row, path, fileHash: file.hash, vector: decodeVector(row) }));
}

function decodeVector({ vector }: MessageRow): Float32Array | null {
  if (vector === null) return null;
  const bytes = Uint8Array.from(Buffer.from(vector, 'base64'));
  return new Float32Array(bytes.buffer);
}

/** Rows that a file has no longer: the tail of one that became shorter, all of one that is gone or unreadable. */
function trimsOf(results: FileResult[], known: Map<string, IndexedFile>, space: string): FileTrim[] {
  return results.flatMap((result) => {
    const before = known.get(result.path);
    const keepBelow = before === undefined ? undefined : keptRows(result, before, space);
    return keepBelow === undefined ? [] : [{ path: result.path, keepBelow }];
  });
}

/** How many of a known file's rows stay at most; undefined = none of them is in the way. */
function keptRows(result: FileResult, before: IndexedFile, space: string): number | undefined {
  if (result.outcome === 'removed' || result.outcome === 'failed') return 0;
  if (result.outcome === 'unchanged' || (result.outcome === 'indexed' && !result.last)) return undefined;
  const shorter = before.space === space && before.chunks > result.file.chunks;
  return shorter ? result.file.chunks : undefined;
}

function recordOf(result: FileResult): IndexedFile[] {
  if (result.outcome === 'removed' || (result.outcome === 'indexed' && !result.last)) return [];
  return [result.file];
}

/** The first commit decides where searches look. One into another space (the embedding changed) asks for a sync that fills it. */
async function settleSpace(ports: CommitPorts, workspaceId: string, space: string): Promise<void> {
  const { records } = ports;
  if (await indexes.create(records, { workspaceId, space })) return;
  const current = await indexes.get(records, { workspaceId });
  if (current?.space !== space) await startSync({ ...ports, space }, workspaceId);
}

async function dropAll({ records, vectors, objects }: CommitPorts, workspaceId: string): Promise<void> {
  await vectors.drop(workspaceId);
  await objects.deletePrefix(`extracts/${workspaceId}/`);
  const partition = filesPartition(workspaceId);
  for (;;) {
    const { items } = await indexedFiles.list(records, { partition, limit: FILES_AT_ONCE });
    if (items.length === 0) break;
    await indexedFiles.deleteMany(records, items);
  }
  await syncs.delete(records, { workspaceId });
  await indexes.delete(records, { workspaceId });
}

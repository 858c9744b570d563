import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chunk } from './chunk.ts';
import { embedTexts } from './embed.ts';
import type { Batch, FileResult, FinishedBatch, MessageRow } from './messages.ts';
import type { IndexPorts } from './ports.ts';
import { type Reading, readForIndex } from './read-file.ts';
import { sendCommit } from './requests.ts';
import { filesPartition, type IndexedFile, indexedFiles, MAX_ERRORS } from './schema.ts';
import { spaceOf } from './space.ts';
import { isWalked, walk } from './walk.ts';

/** Files being read at once in a worker. */
const READS_AT_ONCE = 8;
/** Rows of one commit message, and so of one merge. */
const ROWS_AT_ONCE = 1000;

export interface IndexedWorkspace {
  id: string;
  rootPath: string;
}

interface Request {
  paths: string[];
  /** Indexed paths to take out, unless they turn out to be there. */
  removed: string[];
  twins(hash: string, path: string): Promise<IndexedFile[]>;
  batch?: Batch;
}

/** A batch of a sync. */
export async function indexBatch(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  message: { files: { path: string; twins: string[] }[]; removed: string[]; batch: Batch },
): Promise<void> {
  const twinPaths = new Map(message.files.map(({ path, twins }) => [path, twins]));
  await indexPaths(ports, workspace, {
    paths: message.files.map(({ path }) => path),
    removed: message.removed,
    twins: async (hash, path) =>
      (twinPaths.get(path) ?? []).length === 0 ? [] : findByHash(ports, workspace.id, hash),
    batch: message.batch,
  });
}

/** What changed through the API: each path may be a file or a folder, and may be there or gone. */
export async function indexTouched(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  touched: string[],
): Promise<void> {
  const present = new Set<string>();
  const before = new Set<string>();
  for (const path of touched) {
    for (const file of await presentBelow(workspace.rootPath, path)) present.add(file);
    for await (const known of knownBelow(ports, workspace.id, path)) before.add(known);
  }
  await indexPaths(ports, workspace, {
    paths: [...present],
    removed: [...before].filter((path) => !present.has(path)),
    twins: (hash) => findByHash(ports, workspace.id, hash),
  });
}

async function presentBelow(root: string, path: string): Promise<string[]> {
  const stats = await lstat(join(root, path)).catch(() => undefined);
  if (stats?.isDirectory()) return (await walk(root, path)).map((file) => file.path);
  return stats?.isFile() && (await isWalked(root, path)) ? [path] : [];
}

async function* knownBelow(
  { records }: IndexPorts,
  workspaceId: string,
  path: string,
): AsyncGenerator<string> {
  if ((await indexedFiles.get(records, { workspaceId, path })) !== undefined) yield path;
  const below = { partition: filesPartition(workspaceId), sortPrefix: `${path}/`, limit: 1000 };
  for await (const file of indexedFiles.all(records, below)) yield file.path;
}

async function findByHash(
  { records }: IndexPorts,
  workspaceId: string,
  hash: string,
): Promise<IndexedFile[]> {
  const query = { partition: filesPartition(workspaceId), byIndex: true, sortPrefix: `${hash}#`, limit: 10 };
  return (await indexedFiles.list(records, query)).items;
}

async function readFiles(
  { records }: IndexPorts,
  workspaceId: string,
  paths: string[],
): Promise<Map<string, IndexedFile>> {
  const found = await indexedFiles.getMany(
    records,
    paths.map((path) => ({ workspaceId, path })),
  );
  return new Map(found.map((file) => [file.path, file]));
}

/** Reads, embeds across all files at once, and hands the results to the workspace's writer. */
async function indexPaths(ports: IndexPorts, workspace: IndexedWorkspace, request: Request): Promise<void> {
  const known = await readFiles(ports, workspace.id, request.paths);
  const readings = await readAll(ports, workspace, request, known);
  const chunked = readings.filter((reading) => reading.outcome === 'chunked');
  const texts = chunked.flatMap(({ chunks }) => chunks.map(({ text }) => text));
  const { vectors, failed } = await embedTexts(ports.embedder, texts);
  const results: FileResult[] = [];
  let offset = 0;
  for (const reading of readings) {
    if (reading.outcome !== 'chunked') results.push(toResult(reading));
    else {
      const own = vectors.slice(offset, offset + reading.chunks.length);
      offset += reading.chunks.length;
      results.push(...toParts(reading, own, failed));
    }
  }
  const readAt = ports.clock.now();
  for (const path of request.removed) results.push({ outcome: 'removed', path, readAt });
  await sendResults(
    ports,
    workspace.id,
    results,
    request.batch && finishBatch(request.batch, results, known),
  );
}

/** What a sync's batch came to. A large file counts once, with its last part. */
function finishBatch(batch: Batch, results: FileResult[], known: Map<string, IndexedFile>): FinishedBatch {
  const whole = results.filter((result) => result.outcome !== 'indexed' || result.last);
  const written = whole.filter(({ outcome }) => outcome === 'indexed' || outcome === 'copied');
  const updatedCount = written.filter(({ path }) => known.has(path)).length;
  const count = (wanted: FileResult['outcome']) => whole.filter(({ outcome }) => outcome === wanted).length;
  const errors = whole.flatMap((result) => {
    const error = 'file' in result ? result.file.error : undefined;
    return error === undefined ? [] : [{ path: result.path, error }];
  });
  return {
    batch,
    newCount: written.length - updatedCount,
    updatedCount,
    unchangedCount: count('unchanged'),
    removedCount: count('removed'),
    failedCount: count('failed'),
    errors: errors.slice(0, MAX_ERRORS),
  };
}

async function readAll(
  ports: IndexPorts,
  workspace: IndexedWorkspace,
  request: Request,
  known: Map<string, IndexedFile>,
): Promise<Reading[]> {
  const readings: Reading[] = new Array(request.paths.length);
  let next = 0;
  const loop = async () => {
    for (let index = next++; index < request.paths.length; index = next++) {
      const path = request.paths[index] as string;
      readings[index] = await readForIndex(
        ports,
        {
          workspaceId: workspace.id,
          rootPath: workspace.rootPath,
          space: spaceOf(ports.embedder),
          known: known.get(path),
          twins: (hash) => request.twins(hash, path),
        },
        path,
      );
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, loop));
  return readings;
}

function toResult(reading: Exclude<Reading, { outcome: 'chunked' }>): FileResult {
  const { outcome, path, readAt } = reading;
  if (outcome === 'gone') return { outcome: 'removed', path, readAt };
  if (outcome === 'failed') return { outcome, path, readAt, file: reading.file };
  const { file, from } = reading;
  return from === undefined
    ? { outcome: 'unchanged', path, readAt, file }
    : { outcome: 'copied', path, readAt, file, from };
}

type Chunked = Extract<Reading, { outcome: 'chunked' }>;

/** A file's rows, in parts when they are many. An embedding that failed is named in the file's record. */
function toParts(
  { path, readAt, file, chunks }: Chunked,
  vectors: (Float32Array | null)[],
  failed?: string,
): FileResult[] {
  const lacking = failed !== undefined && vectors.includes(null);
  const record: IndexedFile = lacking
    ? { ...file, embedded: false, error: `embedding failed: ${failed}` }
    : file;
  const rows = chunks.map((chunk, index) => toRow(chunk, index, vectors[index] ?? null));
  const parts: FileResult[] = [];
  for (let start = 0; start === 0 || start < rows.length; start += ROWS_AT_ONCE) {
    const last = start + ROWS_AT_ONCE >= rows.length;
    parts.push({
      outcome: 'indexed',
      path,
      readAt,
      rows: rows.slice(start, start + ROWS_AT_ONCE),
      file: record,
      last,
    });
  }
  return parts;
}

function toRow(chunk: Chunk, index: number, vector: Float32Array | null): MessageRow {
  return {
    ...chunk,
    chunk: index,
    vector: vector && Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  };
}

/** In messages of bounded size; the last one finishes the batch, also when there was nothing to do. */
async function sendResults(
  ports: IndexPorts,
  workspaceId: string,
  results: FileResult[],
  finishes?: FinishedBatch,
): Promise<void> {
  const groups = groupByRows(results);
  if (groups.length === 0 && finishes !== undefined) groups.push([]);
  for (const [index, group] of groups.entries()) {
    await sendCommit(ports.commitQueue, {
      kind: 'results',
      workspaceId,
      space: spaceOf(ports.embedder),
      results: group,
      finishes: index === groups.length - 1 ? finishes : undefined,
    });
  }
}

function groupByRows(results: FileResult[]): FileResult[][] {
  const groups: FileResult[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const result of results) {
    const own = result.outcome === 'indexed' ? result.rows.length : 1;
    if (rows + own > ROWS_AT_ONCE) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)?.push(result);
    rows += own;
  }
  return groups;
}

import { embeddedText } from '../../passages/embedded-text.ts';
import { embeddingSpaceOf } from '../../passages/embedding-space.ts';
import { readFilledSpace } from '../../passages/search-space.ts';
import { sendCommit } from '../enqueue.ts';
import { type Batch, type FileResult, NO_TALLY, type Tally } from '../messages.ts';
import type { IndexPorts } from '../ports.ts';
import { type HandledFiles, type IndexedFile, indexError, MAX_ERRORS, stateOf } from '../schema.ts';
import { type Embedding, embedTexts, isTimeOver, startEmbedding } from './embed.ts';

/** The number of rows per commit message, and therefore per merge. */
export const ROWS_AT_ONCE = 1000;

interface Request {
  results: FileResult[];
  known: Map<string, IndexedFile>;
  batch?: Batch | undefined;
  /** Results of earlier messages of the same work. */
  tally?: Tally | undefined;
  /** When work on the message started, in milliseconds. */
  startedAt: number;
  /** A file that is stored without vectors because it changes too fast. */
  unsteady?: string | undefined;
}

/** Texts that couldn't be embedded in time. */
export interface Unembedded {
  results: FileResult[];
  tally: Tally;
}

/**
 * Sends messages of limited size. Each is embedded just before it's sent, so that a large file's vectors are
 * never all in memory. The last message finishes the batch, even if there was nothing to do. Returns the rest
 * if the time runs out first.
 */
export async function sendResults(
  ports: IndexPorts,
  workspaceId: string,
  { results, known, batch, tally: before = NO_TALLY, startedAt, unsteady }: Request,
): Promise<Unembedded | undefined> {
  if (results.length === 0 && batch === undefined) return undefined;
  const embedding = startEmbedding(ports, startedAt);
  const lacking = new Set<string>();
  const space = await readFilledSpace(ports.records, workspaceId, embeddingSpaceOf(ports.embedder));
  let tally = before;
  let waiting = results;
  do {
    const { group, behind } = takeGroup(waiting);
    const { done, rest } = await embedResults(embedding, group, { lacking, unsteady });
    waiting = [...rest, ...behind];
    tally = { ...count(tally, done, known), texts: before.texts + embedding.texts };
    const ends = waiting.length === 0;
    await sendCommit(ports.commitQueue, {
      kind: 'results',
      workspaceId,
      space,
      results: done,
      embedded: batch && { batch, texts: tally.texts, files: filesOf(tally) },
      finishes: ends && batch !== undefined ? { batch, ...tally } : undefined,
    });
    if (!ends && isTimeOver(embedding)) return { results: waiting, tally };
  } while (waiting.length > 0);
  return undefined;
}

/** Reports how many files of a batch are read. Their results follow together, possibly minutes later. */
export async function tellRead(
  ports: IndexPorts,
  workspaceId: string,
  { results, known, batch, tally = NO_TALLY }: Omit<Request, 'startedAt' | 'unsteady'>,
): Promise<void> {
  const files = filesOf(count(tally, results, known));
  await sendCommit(ports.commitQueue, {
    kind: 'results',
    workspaceId,
    space: embeddingSpaceOf(ports.embedder),
    results: [],
    embedded: batch && { batch, texts: tally.texts, files },
  });
}

/** Returns only the counts, because errors would be sent twice. */
function filesOf({ newCount, updatedCount, unchangedCount, removedCount, failedCount }: Tally): HandledFiles {
  return { newCount, updatedCount, unchangedCount, removedCount, failedCount };
}

interface Lacks {
  /** Files that have lacked vectors so far. */
  lacking: Set<string>;
  unsteady: string | undefined;
}

/**
 * Returns results with vectors, and the rest if there wasn't enough time. A file's record states if its
 * embedding failed. `lacking` remembers the failures of earlier parts.
 */
async function embedResults(embedding: Embedding, results: FileResult[], lacks: Lacks) {
  const isAsked = (result: FileResult) => result.outcome === 'indexed' && result.path !== lacks.unsteady;
  const rows = results.flatMap((result) =>
    result.outcome === 'indexed' && isAsked(result) ? result.rows : [],
  );
  const vectors = await embedTexts(embedding, rows.map(embeddedText));
  const done: FileResult[] = [];
  const rest: FileResult[] = [];
  for (const result of results) {
    const own = result.outcome === 'indexed' && isAsked(result) ? vectors.splice(0, result.rows.length) : [];
    if (result.outcome !== 'indexed' || !isAsked(result) || own.length === result.rows.length) {
      done.push(withVectors(embedding, result, own, lacks));
      continue;
    }
    const begun = { ...result, rows: result.rows.slice(0, own.length), last: false };
    if (own.length > 0) done.push(withVectors(embedding, begun, own, lacks));
    rest.push({ ...result, rows: result.rows.slice(own.length) });
  }
  return { done, rest };
}

function withVectors(
  { embedder, failed }: Embedding,
  result: FileResult,
  vectors: (Float32Array | null)[],
  { lacking, unsteady }: Lacks,
): FileResult {
  if (result.outcome !== 'indexed') return result;
  const rows = result.rows.map((row, index) => ({ ...row, vector: encodeVector(vectors[index] ?? null) }));
  if (embedder !== undefined && rows.some(({ vector }) => vector === null)) lacking.add(result.path);
  const lack = failed ?? 'A vector is missing.';
  const reason = result.path === unsteady ? 'The file changes faster than it can be embedded.' : lack;
  const error = `Embedding failed. Keyword search still works. ${reason}`;
  const file = lacking.has(result.path) ? { ...result.file, embedded: false, error } : result.file;
  return { ...result, rows, file };
}

function encodeVector(vector: Float32Array | null): string | null {
  return vector && Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

/** Takes as many of the first results as fit into a message, but at least one. */
function takeGroup(results: FileResult[]): { group: FileResult[]; behind: FileResult[] } {
  let rows = 0;
  const end = results.findIndex((result, index) => {
    rows += rowsOf(result);
    return index > 0 && rows > ROWS_AT_ONCE;
  });
  return end === -1
    ? { group: results, behind: [] }
    : { group: results.slice(0, end), behind: results.slice(end) };
}

/** Returns how many rows a result costs the writer. */
function rowsOf(result: FileResult): number {
  if (result.outcome === 'indexed') return result.rows.length;
  return result.outcome === 'copied' ? result.file.chunks : 1;
}

/** Adds these results to the tally. A large file counts once, with its last part. */
function count(tally: Tally, results: FileResult[], known: Map<string, IndexedFile>): Tally {
  const all = results.filter((result) => result.outcome !== 'indexed' || result.last);
  const isSkipped = (result: FileResult) => 'file' in result && stateOf(result.file) === 'skipped';
  const whole = all.filter((result) => !isSkipped(result));
  const written = whole.filter(({ outcome }) => outcome === 'indexed' || outcome === 'copied');
  const updated = written.filter(({ path }) => known.has(path)).length;
  const number = (wanted: FileResult['outcome']) => whole.filter(({ outcome }) => outcome === wanted).length;
  const errors = whole.flatMap((result) => {
    const error = 'file' in result ? result.file.error : undefined;
    return error === undefined ? [] : [indexError(result.path, error)];
  });
  return {
    ...tally,
    newCount: tally.newCount + written.length - updated,
    updatedCount: tally.updatedCount + updated,
    unchangedCount: tally.unchangedCount + number('unchanged'),
    removedCount: tally.removedCount + number('removed'),
    failedCount: tally.failedCount + number('failed'),
    skippedCount: tally.skippedCount + all.length - whole.length,
    lackingCount: tally.lackingCount + written.filter((it) => 'file' in it && !it.file.embedded).length,
    errors: [...tally.errors, ...errors].slice(0, MAX_ERRORS),
  };
}

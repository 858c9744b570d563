import { embeddingSpaceOf } from '../../passages/embedding-space.ts';
import { sendCommit } from '../enqueue.ts';
import type { Batch, FileResult, FinishedBatch } from '../messages.ts';
import type { IndexPorts } from '../ports.ts';
import { type IndexedFile, indexError, MAX_ERRORS, stateOf } from '../schema.ts';
import { type Embedding, embedTexts, startEmbedding } from './embed.ts';

/** Rows of one commit message, and so of one merge. */
export const ROWS_AT_ONCE = 1000;

/**
 * In messages of bounded size, each embedded just before it goes: a large file's vectors are never in memory together.
 * The last one finishes the batch, also when there was nothing to do.
 */
export async function sendResults(
  ports: IndexPorts,
  workspaceId: string,
  request: { results: FileResult[]; known: Map<string, IndexedFile>; batch?: Batch | undefined },
): Promise<void> {
  const { known, batch } = request;
  const groups = groupByRows(request.results);
  if (groups.length === 0 && batch !== undefined) groups.push([]);
  const embedding = startEmbedding(ports.embedder);
  const lacking = new Set<string>();
  const done: FileResult[] = [];
  for (const [index, group] of groups.entries()) {
    const results = await embedResults(embedding, group, lacking);
    done.push(...results.map((result) => ('rows' in result ? { ...result, rows: [] } : result)));
    const last = index === groups.length - 1;
    await sendCommit(ports.commitQueue, {
      kind: 'results',
      workspaceId,
      space: embeddingSpaceOf(ports.embedder),
      results,
      finishes: last && batch !== undefined ? finishBatch(batch, done, known) : undefined,
    });
  }
}

/** The results with vectors. An embedding that failed is named in the file's record: `lacking` remembers earlier parts. */
async function embedResults(
  embedding: Embedding,
  results: FileResult[],
  lacking: Set<string>,
): Promise<FileResult[]> {
  const texts = results.flatMap((result) => (result.outcome === 'indexed' ? result.rows : []));
  const vectors = (
    await embedTexts(
      embedding,
      texts.map(({ text }) => text),
    )
  ).values();
  return results.map((result) => {
    if (result.outcome !== 'indexed') return result;
    const rows = result.rows.map((row) => ({ ...row, vector: encodeVector(vectors.next().value ?? null) }));
    if (embedding.embedder !== undefined && rows.some(({ vector }) => vector === null))
      lacking.add(result.path);
    const error = `embedding failed: ${embedding.failed ?? 'a vector is missing'}`;
    const file = lacking.has(result.path) ? { ...result.file, embedded: false, error } : result.file;
    return { ...result, rows, file };
  });
}

function encodeVector(vector: Float32Array | null): string | null {
  return vector && Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

function groupByRows(results: FileResult[]): FileResult[][] {
  const groups: FileResult[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const result of results) {
    const own = rowsOf(result);
    if (rows + own > ROWS_AT_ONCE) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)?.push(result);
    rows += own;
  }
  return groups;
}

/** What it costs the writer, in rows. */
function rowsOf(result: FileResult): number {
  if (result.outcome === 'indexed') return result.rows.length;
  return result.outcome === 'copied' ? result.file.chunks : 1;
}

/** What a sync's batch came to. A large file counts once, with its last part. */
function finishBatch(batch: Batch, results: FileResult[], known: Map<string, IndexedFile>): FinishedBatch {
  const all = results.filter((result) => result.outcome !== 'indexed' || result.last);
  const isSkipped = (result: FileResult) => 'file' in result && stateOf(result.file) === 'skipped';
  const whole = all.filter((result) => !isSkipped(result));
  const written = whole.filter(({ outcome }) => outcome === 'indexed' || outcome === 'copied');
  const updatedCount = written.filter(({ path }) => known.has(path)).length;
  const count = (wanted: FileResult['outcome']) => whole.filter(({ outcome }) => outcome === wanted).length;
  const errors = whole.flatMap((result) => {
    const error = 'file' in result ? result.file.error : undefined;
    return error === undefined ? [] : [indexError(result.path, error)];
  });
  return {
    batch,
    newCount: written.length - updatedCount,
    updatedCount,
    unchangedCount: count('unchanged'),
    removedCount: count('removed'),
    failedCount: count('failed'),
    skippedCount: all.length - whole.length,
    errors: errors.slice(0, MAX_ERRORS),
  };
}

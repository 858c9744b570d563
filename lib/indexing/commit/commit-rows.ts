import type { FileTrim, PassageRow, PassageTable } from '../../ports/vectors.ts';
import type { FileResult, MessageRow } from '../messages.ts';
import { type IndexedFile, indexError, isDone, type Sync } from '../schema.ts';

/** A table with its ID; undefined if there is none yet. */
export interface NamedTable {
  table: PassageTable;
  id: string | undefined;
}

/**
 * Returns the rows of files that are copies of others. A result is `lost`, and its file must be read again,
 * if the rows on which it depends have changed or don't exist.
 */
export async function copyRows(
  { table, id }: NamedTable,
  results: FileResult[],
  known: Map<string, IndexedFile>,
): Promise<{ copied: PassageRow[]; lost: Set<string> }> {
  const copied: PassageRow[] = [];
  const lost = restingOnNothing(results, known, id);
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

/**
 * Returns the unchanged and continued files whose earlier rows are missing, because the rows changed in the
 * meantime or their table is lost.
 */
function restingOnNothing(
  results: FileResult[],
  known: Map<string, IndexedFile>,
  id: string | undefined,
): Set<string> {
  const lost = new Set<string>();
  const begun = new Set<string>();
  for (const result of results) {
    const before = known.get(result.path);
    if (result.outcome === 'unchanged' && !isStill(result.file, before, id)) lost.add(result.path);
    if (isFurtherPart(result) && !begun.has(result.path) && before?.table !== id) lost.add(result.path);
    begun.add(result.path);
  }
  return lost;
}

function isStill(file: IndexedFile, known: IndexedFile | undefined, table: string | undefined): boolean {
  return known !== undefined && isDone(known, { ...file, table }) && known.chunks === file.chunks;
}

/** Returns whether the result is a later part of a large file, whose first rows were in an earlier commit. */
function isFurtherPart(result: FileResult): boolean {
  return result.outcome === 'indexed' && (result.rows[0]?.chunk ?? 0) > 0;
}

/** Vectors whose length differs from the table's: all that arrived together, or only some of them. */
export interface OtherLength {
  length: number;
  wanted: number;
  isOfAll: boolean;
}

/**
 * A table has vectors of one length. If the service behind a model's name has changed, a file is indexed by
 * keywords only, with an error. `explain` returns the reason.
 */
export async function refuseVectors(
  results: FileResult[],
  dimensions: number | undefined,
  explain: (other: OtherLength) => Promise<string>,
) {
  const lengths = results.flatMap((result) => (result.outcome === 'indexed' ? result.rows : []));
  const wanted = dimensions ?? lengths.map(dimensionsOf).find((length) => length !== undefined);
  const isOdd = (row: MessageRow) => row.vector !== null && dimensionsOf(row) !== wanted;
  const errors: Sync['errors'] = [];
  const odd = lengths.find(isOdd);
  const length = odd && dimensionsOf(odd);
  if (length === undefined || wanted === undefined) return { done: results, errors };
  const isOfAll = lengths.every((row) => row.vector === null || dimensionsOf(row) === length);
  const error = `Embedding failed. ${await explain({ length, wanted, isOfAll })}`;
  const done = results.map((result) => {
    if (result.outcome !== 'indexed' || !result.rows.some(isOdd)) return result;
    errors.push(indexError(result.path, error));
    const rows = result.rows.map((row) => (isOdd(row) ? { ...row, vector: null } : row));
    return { ...result, rows, file: { ...result.file, embedded: false, error } };
  });
  return { done, errors };
}

function dimensionsOf({ vector }: MessageRow): number | undefined {
  return vector === null ? undefined : Buffer.byteLength(vector, 'base64') / Float32Array.BYTES_PER_ELEMENT;
}

export function ownRows(result: FileResult): PassageRow[] {
  if (result.outcome !== 'indexed') return [];
  const { path, file } = result;
  return result.rows.map((row) => ({ ...row, path, fileHash: file.hash, vector: decodeVector(row) }));
}

function decodeVector({ vector }: MessageRow): Float32Array | null {
  if (vector === null) return null;
  const bytes = Uint8Array.from(Buffer.from(vector, 'base64'));
  return new Float32Array(bytes.buffer);
}

/**
 * Returns the rows that a file no longer has: the last rows of a file that became shorter, or all rows of a
 * deleted or unreadable file.
 */
export function trimsOf(results: FileResult[], known: Map<string, IndexedFile>, space: string): FileTrim[] {
  return results.flatMap((result) => {
    const before = known.get(result.path);
    const keepBelow = keptRows(result, before, space);
    return keepBelow === undefined ? [] : [{ path: result.path, keepBelow }];
  });
}

/** Returns the maximum number of a file's rows that stay; undefined if all of them stay. */
function keptRows(result: FileResult, before: IndexedFile | undefined, space: string): number | undefined {
  // Even without a record, because a late writer may have added rows.
  if (result.outcome === 'removed') return 0;
  if (before === undefined) return undefined;
  if (result.outcome === 'failed') return 0;
  if (result.outcome === 'unchanged' || (result.outcome === 'indexed' && !result.last)) return undefined;
  const shorter = before.chunks > result.file.chunks || before.space !== space;
  return shorter ? result.file.chunks : undefined;
}

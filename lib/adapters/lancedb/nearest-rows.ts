import type { Table, VectorQuery } from '@lancedb/lancedb';
import type { FixedSizeList, Float32, Vector } from 'apache-arrow';
import { type FoundRow, findRows } from './found-passages.ts';
import { cacheRows } from './row-cache.ts';

/**
 * Number of partitions to search, with about 4,000 rows each. LanceDB's default of 20 misses 6% of the
 * nearest rows if a scope contains one row in six.
 */
const PROBES = 40;
/** The index selects this many times the number of wanted rows. Their full vectors then decide the order. */
const REFINE = 2;
const MAX_CACHED_BYTES = 16_000_000;
/**
 * Milliseconds for which a number of rows is cached. The number decides only how a search is done, not its
 * result.
 */
const COUNT_MS = 10_000;

export interface NearestOptions {
  limit: number;
  filter?: string | undefined;
  /**
   * Bytes of vectors above which a table is searched by its index. In a smaller one, all vectors are compared
   * exactly.
   */
  indexFromBytes: number;
}

/**
 * Returns the rows nearest to a unit vector, best first, with the cosine. All vectors have unit length, so
 * the dot product is the cosine. Rows that aren't indexed yet are scanned exactly.
 *
 * LanceDB's own refining reads the candidates' vectors in each search, which costs twice as much as selecting
 * them, so this caches the vectors of recent searches.
 */
export async function findNearest(
  table: Table,
  vector: Float32Array,
  { limit, filter, indexFromBytes }: NearestOptions,
): Promise<FoundRow[]> {
  const search = chooseNearest(table, vector);
  if ((await countRows(table)) * vector.byteLength < indexFromBytes)
    return findExactly(search, limit, filter);
  const chosen = filter === undefined ? search : within(search, filter);
  const candidates = await findRows(chosen, REFINE * limit, '_distance');
  const ids = candidates.map(({ id }) => id);
  const vectors = await readVectors(table, ids);
  const refined = candidates.map(({ id, value }) => {
    const cached = vectors.get(id);
    return { id, value: cached === undefined ? 1 - value : cosine(cached, vector) };
  });
  return refined.sort((a, b) => b.value - a.value).slice(0, limit);
}

async function findExactly(search: VectorQuery, limit: number, filter?: string): Promise<FoundRow[]> {
  const exact = search.bypassVectorIndex();
  const found = await findRows(filter === undefined ? exact : exact.where(filter), limit, '_distance');
  return found.map(({ id, value }) => ({ id, value: 1 - value }));
}

const counts = new WeakMap<Table, { rows: number; until: number }>();

async function countRows(table: Table): Promise<number> {
  const known = counts.get(table);
  if (known !== undefined && performance.now() < known.until) return known.rows;
  const rows = await table.countRows();
  counts.set(table, { rows, until: performance.now() + COUNT_MS });
  return rows;
}

/** Returns a search that uses only the index. */
export function chooseNearest(table: Table, vector: Float32Array): VectorQuery {
  const search = table.vectorSearch(vector) as VectorQuery;
  return search.column('vector').distanceType('dot').nprobes(PROBES);
}

/**
 * Limits a search to a scope. The rows of a narrow scope may be in farther partitions, so the search adds
 * partitions until it has enough rows.
 */
function within(search: VectorQuery, filter: string): VectorQuery {
  return search.minimumNprobes(PROBES).maximumNprobes(0).where(filter);
}

/**
 * A vector in half as many bytes, whose numbers are `steps` times `step`. (A quarter of the bytes would miss
 * one in 200 of the nearest rows.)
 */
interface ShortVector {
  steps: Int16Array;
  step: number;
}

const readVectors = cacheRows(
  async (table, ids) => {
    const rows = await table.takeRowIds(ids).withRowId().select(['vector']).toArrow();
    const vectors: Vector<FixedSizeList<Float32>> | null = rows.getChild('vector');
    const shortened = (row: number) => shorten(vectors?.get(row)?.toArray() ?? new Float32Array());
    return new Map([...(rows.getChild('_rowid') ?? [])].map((id: bigint, row) => [id, shortened(row)]));
  },
  { most: MAX_CACHED_BYTES, weigh: ({ steps }: ShortVector) => steps.byteLength + 100 },
);

function shorten(vector: Float32Array): ShortVector {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const step = largest / 32_767 || 1;
  const steps = new Int16Array(vector.length);
  for (let at = 0; at < steps.length; at++) steps[at] = Math.round((vector[at] as number) / step);
  return { steps, step };
}

function cosine({ steps, step }: ShortVector, vector: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < steps.length; at++) sum += (steps[at] as number) * (vector[at] as number);
  return sum * step;
}

import type { Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Passage, ScoredPassage } from '../../ports/vectors.ts';
import { cacheRows } from './row-cache.ts';
import { type StoredPassage, toPassage } from './stored-passage.ts';
import { shapeOf } from './table-shape.ts';

/** Maximum attempts, because a commit between finding rows and reading them may have replaced some. */
const TRIES = 3;

export interface FoundRow {
  id: bigint;
  /** The value of the column by which the search ranks. */
  value: number;
}

/** The rows that a search finds, best first. */
export async function findRows(
  search: Query | VectorQuery,
  limit: number,
  column: '_score' | '_distance',
): Promise<FoundRow[]> {
  const found = await search.withRowId().select([column]).limit(limit).toArrow();
  const ids = [...(found.getChild('_rowid') ?? [])] as bigint[];
  const values = [...(found.getChild(column) ?? [])] as number[];
  return ids.map((id, place) => ({ id, value: values[place] ?? 0 }));
}

/** Returns the passages of the found rows, in order, with the search's value as the score. */
export async function readFound(table: Table, find: () => Promise<FoundRow[]>): Promise<ScoredPassage[]> {
  for (let tries = 1; ; tries++) {
    const rows = await find();
    const ids = rows.map(({ id }) => id);
    const passages = await readPassages(table, ids);
    if (passages.size < ids.length && tries < TRIES) continue;
    return rows.flatMap(({ id, value }) => {
      const passage = passages.get(id);
      return passage === undefined ? [] : [{ ...passage, score: value }];
    });
  }
}

/** Characters of cached passages: about 20,000 short ones. A search looks at a hundred. */
const MAX_CACHED = 24_000_000;

const readPassages = cacheRows(readStored, {
  most: MAX_CACHED,
  weigh: ({ text }: Passage) => text.length + 300, // weight in addition to the text
});

async function readStored(table: Table, ids: bigint[]): Promise<Map<bigint, Passage>> {
  const { columns } = await shapeOf(table);
  const found = await table.takeRowIds(ids).withRowId().select(columns).toArrow();
  const children = columns.map((name) => [name, found.getChild(name)] as const);
  const rowAt = (place: number) =>
    Object.fromEntries(
      children.map(([name, values]) => [name, values?.get(place)]),
    ) as unknown as StoredPassage;
  return new Map(
    [...(found.getChild('_rowid') ?? [])].map((id: bigint, place) => [id, toPassage(rowAt(place))]),
  );
}

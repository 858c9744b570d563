import type { Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Passage, ScoredPassage } from '../../ports/vectors.ts';
import { cacheRows } from './row-cache.ts';
import { type StoredPassage, toPassage } from './stored-passage.ts';
import { shapeOf } from './table-shape.ts';

/** Maximum attempts, because a commit between finding rows and reading them may have replaced some. */
const TRIES = 3;

export interface FoundRow {
  id: bigint;
  /** The value of the requested column. */
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

/** Returns the passages of the found rows, in order, with the search's value as their score. */
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

const readPassages = cacheRows(
  async (table, ids) => {
    const { columns } = await shapeOf(table);
    const rows = await table.takeRowIds(ids).withRowId().select(columns).toArray();
    return new Map(
      (rows as (StoredPassage & { _rowid: bigint })[]).map((row) => [row._rowid, toPassage(row)]),
    );
  },
  {
    most: 12_000_000, // characters
    weigh: ({ text }: Passage) => text.length + 300, // weight in addition to the text
  },
);

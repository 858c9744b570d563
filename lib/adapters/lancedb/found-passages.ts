import type { Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Passage } from '../../ports/vectors.ts';
import { type StoredPassage, toPassage } from './stored-passage.ts';
import { shapeOf } from './table-shape.ts';

/** Characters of text that are kept of passages that were found lately. */
const MAX_CHARACTERS = 12_000_000;
/** What a passage weighs besides its text. */
const PASSAGE_CHARACTERS = 300;
/** A commit between finding rows and reading them may have replaced some. */
const TRIES = 3;

const kept = new Map<string, Passage>();
let characters = 0;

/**
 * What a search finds, best first, with the number in `column`. The search answers row ids alone; the passages are read by
 * them and kept, for reading the texts of fifty rows costs as much as finding them. A row never changes: what is written
 * anew gets another id.
 */
export async function readFound(
  table: Table,
  search: () => Query | VectorQuery,
  limit: number,
  column: '_score' | '_distance',
): Promise<{ passage: Passage; value: number }[]> {
  for (let tries = 1; ; tries++) {
    const rows = await search().withRowId().select([column]).limit(limit).toArrow();
    const ids = [...(rows.getChild('_rowid') ?? [])] as bigint[];
    const values = [...(rows.getChild(column) ?? [])] as number[];
    const passages = await passagesOf(table, ids);
    if (passages.size < ids.length && tries < TRIES) continue;
    return ids.flatMap((id, place) => {
      const passage = passages.get(id);
      return passage === undefined ? [] : [{ passage, value: values[place] ?? 0 }];
    });
  }
}

/** Those of the rows that are still there. */
async function passagesOf(table: Table, ids: bigint[]): Promise<Map<bigint, Passage>> {
  const passages = new Map<bigint, Passage>();
  for (const id of ids) {
    const passage = recall(`${numberOf(table)}/${id}`);
    if (passage !== undefined) passages.set(id, passage);
  }
  const missing = ids.filter((id) => !passages.has(id));
  if (missing.length === 0) return passages;
  const { columns } = await shapeOf(table);
  const read = await table.takeRowIds(missing).withRowId().select(columns).toArray();
  for (const row of read as (StoredPassage & { _rowid: bigint })[]) {
    const passage = toPassage(row);
    passages.set(row._rowid, passage);
    keep(`${numberOf(table)}/${row._rowid}`, passage);
  }
  return passages;
}

function recall(key: string): Passage | undefined {
  const passage = kept.get(key);
  if (passage === undefined) return undefined;
  kept.delete(key); // the last used stay
  kept.set(key, passage);
  return passage;
}

function keep(key: string, passage: Passage): void {
  if (kept.has(key)) return;
  kept.set(key, passage);
  characters += weigh(passage);
  for (const [oldest, { text }] of kept) {
    if (characters <= MAX_CHARACTERS) return;
    kept.delete(oldest);
    characters -= weigh({ text });
  }
}

function weigh({ text }: Pick<Passage, 'text'>): number {
  return text.length + PASSAGE_CHARACTERS;
}

const numbers = new WeakMap<Table, number>();
let tables = 0;

/** Tells an open table from any other of this process, also from an earlier one of the same name. */
function numberOf(table: Table): number {
  const number = numbers.get(table) ?? ++tables;
  numbers.set(table, number);
  return number;
}

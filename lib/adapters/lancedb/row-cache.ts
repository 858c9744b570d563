import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';

/** Returns the rows with these IDs that still exist. */
export type ReadRows<Value> = (table: Table, ids: bigint[]) => Promise<Map<bigint, Value>>;

/**
 * Reads rows by ID and caches recently used ones up to a total weight, because reading the fifty rows of a
 * search costs as much as finding them. A row never changes: a rewritten row gets another ID.
 */
export function cacheRows<Value extends object>(
  read: ReadRows<Value>,
  { most, weigh }: { most: number; weigh: (value: Value) => number },
): ReadRows<Value> {
  const cache = new LRUCache<string, Value>({ maxSize: most, sizeCalculation: weigh });
  return async (table, ids) => {
    const number = numberOf(table);
    const rows = new Map<bigint, Value>();
    for (const id of ids) {
      const row = cache.get(`${number}/${id}`);
      if (row !== undefined) rows.set(id, row);
    }
    const missing = ids.filter((id) => !rows.has(id));
    if (missing.length === 0) return rows;
    for (const [id, row] of await read(table, missing)) {
      rows.set(id, row);
      cache.set(`${number}/${id}`, row);
    }
    return rows;
  };
}

const numbers = new WeakMap<Table, number>();
let tables = 0;

/** Returns a number that identifies an open table in this process, even among earlier tables of the same name. */
function numberOf(table: Table): number {
  const number = numbers.get(table) ?? ++tables;
  numbers.set(table, number);
  return number;
}

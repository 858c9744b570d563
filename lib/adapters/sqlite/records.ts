import { setImmediate as nextTurn } from 'node:timers/promises';
import { shareThread } from '../../async/share-thread.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import {
  checkChange,
  checkKey,
  checkLimit,
  checkQuery,
  checkRecord,
  notAddable,
} from '../../ports/record-limits.ts';
import {
  type Addition,
  type Expectation,
  ExpectationFailed,
  type FieldExpectation,
  type RecordChange,
  type RecordKey,
  type RecordPage,
  type RecordQuery,
  type Records,
  type RecordValue,
  type StoredRecord,
} from '../../ports/records.ts';
import { makeCursor, parseCursor } from '../../records/cursor.ts';
import type { Database } from './database.ts';

/** Number of expired records that each write also deletes. */
const PURGE_AT_ONCE = 20;

/**
 * Characters after which a page ends early (DynamoDB's limit is similar), because other requests wait while
 * it's read.
 */
const MAX_PAGE_CHARACTERS = 1_000_000;

interface Row {
  partition: string;
  sort: string;
  index_partition: string | null;
  index_sort: string | null;
  expires_at: number | null;
  value: string;
}

/** Records in one SQLite table. Each call is synchronous internally and takes microseconds. */
export function sqliteRecords(database: Database, clock: Clock = systemClock): Records {
  const seconds = () => Math.floor(clock.now() / 1000);
  return { ...reads(database, seconds), ...writes(database, seconds) };
}

type Reads = Pick<Records, 'get' | 'getMany' | 'query' | 'count'>;

function reads(database: Database, seconds: () => number): Reads {
  const find = (key: RecordKey) => findRow(database, key, seconds());
  return {
    async get(key) {
      checkKey(key);
      const row = find(key);
      return row && parseValue(row);
    },
    async getMany(keys) {
      for (const key of keys) checkKey(key);
      const distinct = new Map(keys.map((key) => [JSON.stringify([key.partition, key.sort]), key]));
      const share = shareThread();
      const found: StoredRecord[] = [];
      for (const key of distinct.values()) {
        await share();
        const row = find(key);
        if (row !== undefined) found.push(toListed(row));
      }
      return found;
    },
    query: async (query) => readPage(database, query, seconds()),
    count: async (query) => countRows(database, query, seconds()),
  };
}

function writes(database: Database, seconds: () => number): Omit<Records, keyof Reads> {
  const find = (key: RecordKey) => findRow(database, key, seconds());
  return {
    async put(record, expect) {
      database.transaction(() => {
        if (expect !== undefined) checkExpectation(record.key, find(record.key), expect);
        write(database, record);
        purge(database, seconds());
      });
    },
    async update(key, change, expect) {
      checkKey(key);
      checkChange(change);
      return database.transaction(() => {
        const row = find(key);
        if (row === undefined) throw new ExpectationFailed(key);
        checkExpectation(key, row, expect ?? 'present');
        const changed = applyChange(toRecord(row), change);
        write(database, changed);
        return changed.value;
      });
    },
    async delete(key, expect) {
      checkKey(key);
      return database.transaction(() => {
        const row = find(key);
        if (expect !== undefined) checkExpectation(key, row, expect);
        remove(database, key);
        return row !== undefined;
      });
    },
    async putMany(records) {
      database.transaction(() => {
        for (const record of records) write(database, record);
        purge(database, seconds());
      });
    },
    async deleteMany(keys) {
      for (const key of keys) checkKey(key);
      await nextTurn(); // yields, because callers that empty a partition read page by page
      database.transaction(() => {
        for (const key of keys) remove(database, key);
      });
    },
    addMany: async (additions) =>
      database.transaction(() => additions.map((addition) => addOrWhy(database, addition, seconds()))),
  };
}

/** Makes one addition. A damaged record must not fail the others; an error of the file itself must. */
function addOrWhy(database: Database, { record, add }: Addition, now: number): RecordValue | Error {
  let changed: StoredRecord;
  try {
    checkChange({ add });
    const row = findRow(database, record.key, now);
    changed = applyChange(row === undefined ? record : toRecord(row), { add });
    checkRecord(changed);
  } catch (error) {
    return error as Error;
  }
  write(database, changed);
  return changed.value;
}

function findRow(database: Database, { partition, sort }: RecordKey, now: number): Row | undefined {
  const row = database
    .prepare(
      'SELECT * FROM records WHERE partition = ? AND sort = ? AND (expires_at IS NULL OR expires_at > ?)',
    )
    .get(partition, sort, now);
  return row as Row | undefined;
}

function write(database: Database, record: StoredRecord): void {
  const json = checkRecord(record);
  database
    .prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)')
    .run(
      record.key.partition,
      record.key.sort,
      record.index?.partition ?? null,
      record.index?.sort ?? null,
      record.expiresAt ?? null,
      json,
    );
}

function remove(database: Database, { partition, sort }: RecordKey): void {
  database.prepare('DELETE FROM records WHERE partition = ? AND sort = ?').run(partition, sort);
}

function purge(database: Database, now: number): void {
  database
    .prepare(
      `DELETE FROM records WHERE (partition, sort) IN
       (SELECT partition, sort FROM records WHERE expires_at <= ? ORDER BY expires_at LIMIT ${PURGE_AT_ONCE})`,
    )
    .run(now);
}

function checkExpectation(key: RecordKey, row: Row | undefined, expect: Expectation): void {
  const holds = expect === 'absent' ? row === undefined : row !== undefined && fieldsHold(row, expect);
  if (!holds) throw new ExpectationFailed(key);
}

function fieldsHold(row: Row, expect: 'present' | FieldExpectation): boolean {
  if (expect === 'present') return true;
  const value = parseValue(row);
  return Object.entries(expect).every(([field, wanted]) =>
    fieldHolds(Object.hasOwn(value, field) ? value[field] : undefined, wanted),
  );
}

/** Compares like DynamoDB: text by its bytes. Among values of different types, none is less than another. */
function fieldHolds(actual: unknown, wanted: FieldExpectation[string]): boolean {
  if (wanted === null || typeof wanted !== 'object') return actual === wanted;
  const { lessThan } = wanted;
  if (typeof actual === 'number') return typeof lessThan === 'number' && actual < lessThan;
  if (typeof actual !== 'string' || typeof lessThan !== 'string') return false;
  return Buffer.compare(Buffer.from(actual), Buffer.from(lessThan)) < 0;
}

function applyChange(record: StoredRecord, change: RecordChange): StoredRecord {
  const value: RecordValue = { ...record.value, ...change.set };
  for (const [field, amount] of Object.entries(change.add ?? {})) value[field] = addTo(value[field], amount);
  for (const field of change.remove ?? []) delete value[field];
  return {
    key: record.key,
    index: change.index === undefined ? record.index : (change.index ?? undefined),
    expiresAt: change.expiresAt ?? record.expiresAt,
    value,
  };
}

function addTo(current: unknown, amount: number): number {
  if (current !== undefined && typeof current !== 'number') throw notAddable();
  return (current ?? 0) + amount;
}

interface Place {
  partition: string;
  sort: string;
}

/** Returns the columns for a query: the primary key, or the index, with the primary key as a tiebreaker. */
function columnsOf(query: Pick<RecordQuery, 'byIndex'>): Place {
  return query.byIndex
    ? { partition: 'index_partition', sort: 'index_sort' }
    : { partition: 'partition', sort: 'sort' };
}

interface Where {
  sql: string;
  values: (string | number)[];
}

function whereOf(query: Omit<RecordQuery, 'limit' | 'cursor' | 'order'>, now: number): Where {
  const { partition, sort } = columnsOf(query);
  const clauses = [`${partition} = ?`, '(expires_at IS NULL OR expires_at > ?)'];
  const values: (string | number)[] = [query.partition, now];
  const { sortPrefix = '' } = query;
  checkQuery(query);
  if (sortPrefix !== '') {
    clauses.push(`${sort} >= ?`);
    values.push(sortPrefix);
  }
  const end = afterPrefix(sortPrefix);
  if (end !== undefined) {
    clauses.push(`${sort} < ?`);
    values.push(end);
  }
  if (query.from !== undefined) {
    clauses.push(`${sort} >= ?`);
    values.push(query.from);
  }
  if (query.to !== undefined) {
    clauses.push(`${sort} <= ?`);
    values.push(query.to);
  }
  return { sql: clauses.join(' AND '), values };
}

/**
 * Returns the smallest text above all texts that start with `prefix`, in the order of UTF-8 bytes; undefined
 * if there is none.
 */
function afterPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  while (points.at(-1) === '\u{10FFFF}') points.pop();
  const last = points.pop()?.codePointAt(0);
  if (last === undefined) return undefined;
  return points.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1); // skips the surrogates
}

function readPage(database: Database, query: RecordQuery, now: number): RecordPage {
  const limit = checkLimit(query);
  const records: StoredRecord[] = [];
  let characters = 0;
  for (const row of rowsOf(database, query, now)) {
    const last = records.at(-1);
    const isFull = records.length === limit || characters > MAX_PAGE_CHARACTERS;
    if (isFull && last !== undefined) return { records, cursor: makeCursor(query, last) };
    records.push(toListed(row));
    characters += row.value.length;
  }
  return { records };
}

/** Yields rows one by one, on demand. */
function rowsOf(database: Database, query: RecordQuery, now: number): Iterable<Row> {
  const where = whereOf(query, now);
  const order = query.byIndex ? ['index_sort', 'partition', 'sort'] : ['sort'];
  const after = parseCursor(query);
  if (after !== undefined) {
    const sign = query.order === 'descending' ? '<' : '>';
    where.sql += ` AND (${order.join()}) ${sign} (${order.map(() => '?').join()})`;
    where.values.push(...(query.byIndex ? [after.indexSort ?? '', after.key.partition] : []), after.key.sort);
  }
  const direction = query.order === 'descending' ? 'DESC' : 'ASC';
  const by = order.map((column) => `${column} ${direction}`).join();
  return database
    .prepare(`SELECT * FROM records WHERE ${where.sql} ORDER BY ${by}`)
    .iterate(...where.values) as Iterable<unknown> as Iterable<Row>;
}

function countRows(
  database: Database,
  query: Omit<RecordQuery, 'limit' | 'cursor' | 'order'>,
  now: number,
): number {
  const where = whereOf(query, now);
  const row = database.prepare(`SELECT count(*) AS n FROM records WHERE ${where.sql}`).get(...where.values);
  return (row as { n: number }).n;
}

function parseValue(row: Row): RecordValue {
  return JSON.parse(row.value) as RecordValue;
}

/** Reads one of several records. A damaged text must not hide the other records; it belongs to no kind. */
function toListed(row: Row): StoredRecord {
  try {
    return toRecord(row);
  } catch {
    return toRecord({ ...row, value: JSON.stringify({ damaged: row.value }) });
  }
}

function toRecord(row: Row): StoredRecord {
  return {
    key: { partition: row.partition, sort: row.sort },
    index:
      row.index_partition === null
        ? undefined
        : { partition: row.index_partition, sort: row.index_sort ?? '' },
    expiresAt: row.expires_at ?? undefined,
    value: parseValue(row),
  };
}

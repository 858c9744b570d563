import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { checkLimit, checkQuery, isImpossible } from '../../ports/record-limits.ts';
import type { RecordPage, RecordQuery, StoredRecord } from '../../ports/records.ts';
import { invalidCursor, makeCursor, parseCursor, type RecordPlace } from '../../records/cursor.ts';
import { makePlaceholders, type Placeholders, unexpired } from './expressions.ts';
import { INDEX_NAME, type Item, type Table, toKey, toRecord } from './table.ts';

/**
 * Minimum items per round once the first round has found expired items, because small pages would take many
 * rounds.
 */
const REFILL = 100;

/** Reads one record more than requested, so that a cursor is returned only if more records follow. */
export async function readPage(table: Table, query: RecordQuery): Promise<RecordPage> {
  const limit = checkLimit(query);
  checkQuery(query);
  const after = parseCursor(query);
  if (isImpossible(query)) return { records: [] };
  const request = requestOf(table, query);
  const found: StoredRecord[] = [];
  let start = after && startKey(query, after);
  let atLeast = 1;
  do {
    const Limit = Math.max(limit + 1 - found.length, atLeast);
    const command = new QueryCommand({ ...request, Limit, ExclusiveStartKey: start });
    const page = await table.client.send(command).catch(translateError(query));
    found.push(...((page.Items ?? []) as Item[]).map(toRecord));
    start = page.LastEvaluatedKey;
    atLeast = REFILL;
  } while (start !== undefined && found.length <= limit);
  const records = found.slice(0, limit);
  const last = records.at(-1);
  return found.length > limit && last !== undefined
    ? { records, cursor: makeCursor(query, last) }
    : { records };
}

export async function countItems(table: Table, query: RecordQuery): Promise<number> {
  checkQuery(query);
  if (isImpossible(query)) return 0;
  const request: QueryCommandInput = { ...requestOf(table, query), Select: 'COUNT' };
  let count = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(new QueryCommand({ ...request, ExclusiveStartKey: start }));
    count += page.Count ?? 0;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return count;
}

/** Reads by primary key are strongly consistent. The index supports only eventually consistent reads. */
function requestOf(table: Table, query: RecordQuery): QueryCommandInput {
  const to = makePlaceholders();
  return {
    TableName: table.name,
    ...(query.byIndex ? { IndexName: INDEX_NAME } : { ConsistentRead: true }),
    KeyConditionExpression: keyCondition(to, query),
    FilterExpression: unexpired(to, table.now()),
    ScanIndexForward: query.order !== 'descending',
    ...to.attributes,
  };
}

function keyCondition(to: Placeholders, query: RecordQuery): string {
  const { sortPrefix = '', from = '', to: last } = query;
  const inPartition = `${to.name(query.byIndex ? 'gsi1pk' : 'pk')} = ${to.value(query.partition)}`;
  if (sortPrefix === '' && from === '' && last === undefined) return inPartition; // an unused name is refused
  const sort = to.name(query.byIndex ? 'gsi1sk' : 'sk');
  if (sortPrefix !== '') return `${inPartition} AND begins_with(${sort}, ${to.value(sortPrefix)})`;
  if (last === undefined) return `${inPartition} AND ${sort} >= ${to.value(from)}`;
  if (from === '') return `${inPartition} AND ${sort} <= ${to.value(last)}`;
  return `${inPartition} AND ${sort} BETWEEN ${to.value(from)} AND ${to.value(last)}`;
}

function startKey(query: RecordQuery, { key, indexSort }: RecordPlace): Record<string, unknown> {
  return query.byIndex ? { ...toKey(key), gsi1pk: query.partition, gsi1sk: indexSort } : { ...toKey(key) };
}

/**
 * Throws InvalidInput for a query with a cursor: the rest of the request is valid, so the cursor must be at
 * fault.
 */
function translateError({ cursor }: RecordQuery): (error: unknown) => never {
  return (error) => {
    const isInvalid = error instanceof Error && error.name === 'ValidationException';
    throw isInvalid && cursor !== undefined ? invalidCursor({ cause: error }) : error;
  };
}

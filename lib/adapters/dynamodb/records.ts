import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { type Clock, systemClock } from '../../ports/clock.ts';
import { checkChange, checkKey, checkRecord, notAddable, recordTooLarge } from '../../ports/record-limits.ts';
import {
  type Addition,
  type Expectation,
  ExpectationFailed,
  type FieldExpectation,
  ifExpected,
  type RecordChange,
  type RecordKey,
  type Records,
  type RecordValue,
  type StoredRecord,
  wasExpected,
} from '../../ports/records.ts';
import { readItems, writeItems } from './batches.ts';
import { changeOf, conditionOf, makePlaceholders } from './expressions.ts';
import { countItems, readPage } from './queries.ts';
import { type Item, isGone, type Table, toItem, toKey, toRecord, translation } from './table.ts';

/**
 * Stores records in one DynamoDB table. If a connection breaks after a write, the SDK repeats the write; an
 * addition may then count twice, and a condition may fail because of the first attempt. Beyond the port's
 * limits, DynamoDB rejects numbers outside 1e-130 to 1e126, empty field names, and values nested more than 30
 * levels deep.
 */
export function dynamodbRecords(
  client: DynamoDBClient,
  tableName: string,
  clock: Clock = systemClock,
): Records {
  const table: Table = {
    client: DynamoDBDocumentClient.from(client, translation),
    name: tableName,
    now: () => Math.floor(clock.now() / 1000),
  };
  return {
    get: (key) => getValue(table, key),
    getMany: (keys) => getMany(table, keys),
    put: (record, expect) => put(table, record, expect),
    update: (key, change, expect) => update(table, key, change, expect ?? 'present'),
    delete: (key, expect) => deleteOne(table, key, expect),
    putMany: (records) => putMany(table, records),
    deleteMany: (keys) => deleteMany(table, keys),
    addMany: (additions) => Promise.all(additions.map((addition) => addOrWhy(table, addition))),
    query: (query) => readPage(table, query),
    count: (query) => countItems(table, query),
  };
}

async function getValue(table: Table, key: RecordKey): Promise<RecordValue | undefined> {
  checkKey(key);
  const command = new GetCommand({ TableName: table.name, Key: toKey(key), ConsistentRead: true });
  const { Item } = await table.client.send(command);
  return Item === undefined || isGone(Item as Item, table.now()) ? undefined : (Item as Item).value;
}

async function getMany(table: Table, keys: RecordKey[]): Promise<StoredRecord[]> {
  for (const key of keys) checkKey(key);
  const items = await readItems(table, lastOfEach(keys, (key) => key).map(toKey));
  const now = table.now();
  return items.filter((item) => !isGone(item, now)).map(toRecord);
}

async function put(table: Table, record: StoredRecord, expect?: Expectation): Promise<void> {
  const Item = toItem(record, checkRecord(record));
  const command = new PutCommand({ TableName: table.name, Item, ...condition(table, expect) });
  await table.client.send(command).catch(translateError(record.key));
}

async function update(
  table: Table,
  key: RecordKey,
  change: RecordChange,
  expect: 'present' | FieldExpectation,
): Promise<RecordValue> {
  checkRecord({ key, value: change.set ?? {} });
  checkChange(change);
  const to = makePlaceholders();
  const command = new UpdateCommand({
    TableName: table.name,
    Key: toKey(key),
    UpdateExpression: changeOf(to, change),
    ConditionExpression: conditionOf(to, expect, table.now()),
    ReturnValues: 'ALL_NEW',
    ...to.attributes,
  });
  const { Attributes } = await table.client.send(command).catch(translateError(key));
  return (Attributes as Item).value;
}

/**
 * Deletes an item. A condition proves that the item existed, because DynamoDB Local returns the old item to several
 * concurrent deletes.
 */
async function deleteOne(table: Table, key: RecordKey, expect?: FieldExpectation): Promise<boolean> {
  checkKey(key);
  const where = condition(table, expect ?? 'present');
  const command = new DeleteCommand({ TableName: table.name, Key: toKey(key), ...where });
  try {
    await table.client.send(command);
    return true;
  } catch (error) {
    if (expect === undefined && error instanceof ConditionalCheckFailedException) return false;
    return translateError(key)(error);
  }
}

async function putMany(table: Table, records: StoredRecord[]): Promise<void> {
  const items = lastOfEach(records, ({ key }) => key).map((record) => toItem(record, checkRecord(record)));
  const writes = items.map((Item) => ({ PutRequest: { Item } }));
  await writeItems(table, writes).catch(translateError());
}

/**
 * Makes one addition. Additions run concurrently rather than in one transaction, which would cost twice as
 * much and fail when two overlap.
 */
async function addOrWhy(table: Table, addition: Addition): Promise<RecordValue | Error> {
  try {
    return await addOne(table, addition);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Creates the record, or adds to it if another caller created it first. */
async function addOne(table: Table, { record, add }: Addition): Promise<RecordValue> {
  const { key } = record;
  const change = () => update(table, key, { add }, 'present');
  const changed = await ifExpected(change());
  if (changed !== undefined) return changed;
  const value = { ...record.value };
  for (const [field, amount] of Object.entries(add)) value[field] = ((value[field] as number) ?? 0) + amount;
  if (await wasExpected(put(table, { ...record, value }, 'absent'))) return value;
  return change();
}

async function deleteMany(table: Table, keys: RecordKey[]): Promise<void> {
  for (const key of keys) checkKey(key);
  const writes = lastOfEach(keys, (key) => key).map((key) => ({ DeleteRequest: { Key: toKey(key) } }));
  await writeItems(table, writes);
}

function condition(table: Table, expect: Expectation | undefined) {
  if (expect === undefined) return {};
  const to = makePlaceholders();
  return { ConditionExpression: conditionOf(to, expect, table.now()), ...to.attributes };
}

/**
 * Returns the last write for each key, because a batch may name a key only once, and the last of several
 * writes wins.
 */
function lastOfEach<Part>(parts: Part[], keyOf: (part: Part) => RecordKey): Part[] {
  const entries = parts.map((part) => {
    const { partition, sort } = keyOf(part);
    return [JSON.stringify([partition, sort]), part] as const;
  });
  return [...new Map(entries).values()];
}

function translateError(key?: RecordKey): (error: unknown) => never {
  return (error) => {
    if (error instanceof ConditionalCheckFailedException && key) throw new ExpectationFailed(key);
    if (error instanceof Error && error.name === 'ValidationException') {
      // DynamoDB counts the keys toward the size too, so it may reject a value that passed as JSON.
      if (error.message.includes('Item size')) throw recordTooLarge({ cause: error });
      if (error.message.includes('incorrect data type')) throw notAddable({ cause: error });
    }
    throw error;
  };
}

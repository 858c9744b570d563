import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type {
  Expectation,
  FieldExpectation,
  RecordChange,
  RecordKey,
  RecordQuery,
  Records,
  StoredRecord,
} from '../../lib/ports/records.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { connectDynamodb, createTable } from './table.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const OPERATIONS = 1000;

type Operation = { name: string; run: (records: Records, now: number) => Promise<unknown> };

const key: fc.Arbitrary<RecordKey> = fc.record({
  partition: fc.constantFrom('p', 'P', 'é#1'),
  sort: fc.constantFrom('a', 'a#1', 'a#2', 'B', '中', '\uFFFD', '😀', 'a/\u{10FFFF}'),
});
const indexPartition = fc.constantFrom('i', 'I');

const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'é', '😀', '\u0000'), fc.string({ unit: 'grapheme' }));
/** DynamoDB's numbers end at 1e126; JSON has no -0. */
const double = fc.double({ min: -1e125, max: 1e125, noNaN: true }).map((n) => (Math.abs(n) < 1e-125 ? 0 : n));
const small = fc.integer({ min: -3, max: 3 });
const scalar = fc.oneof(text, small, double, fc.boolean(), fc.constant(null));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      text.filter((name) => name !== '' && name !== '__proto__'),
      tie('json'),
      { maxKeys: 3 },
    ),
  ),
}));

/** Only the first two are incremented. They contain integers, because DynamoDB counts in decimals. */
const COUNTERS = ['n', 'a.b'];
const FIELDS = [...COUNTERS, 'value', 'name', '#x', ':0', 'ж"\''];
const counted = fc.oneof(small, small, fc.integer(), text);
const value = fc.record(
  Object.fromEntries(FIELDS.map((field) => [field, COUNTERS.includes(field) ? counted : json])),
  { requiredKeys: [] },
);

const fieldExpectation: fc.Arbitrary<FieldExpectation> = fc.dictionary(
  fc.constantFrom(...FIELDS, ...COUNTERS, ...COUNTERS),
  fc.oneof(
    fc.constant(undefined),
    scalar,
    small,
    fc.record({ lessThan: small }),
    fc.record({ lessThan: fc.oneof(text, small, double) }),
  ),
  { maxKeys: 2 },
);
const expectation: fc.Arbitrary<Expectation | undefined> = fc.oneof(
  fc.constantFrom(undefined, 'absent' as const, 'present' as const),
  fieldExpectation,
);
const later = fc.option(fc.integer({ min: -10, max: 60 }), { nil: undefined });

interface Draft {
  key: RecordKey;
  index: { partition: string; letter: string } | null;
  later: number | undefined;
  value: Record<string, unknown>;
}
const draft: fc.Arbitrary<Draft> = fc.record({
  key,
  index: fc.option(fc.record({ partition: indexPartition, letter: fc.constantFrom('x', 'y') })),
  later,
  value,
});

/** No two records have the same index key: DynamoDB doesn't order such records. */
function placeOf(to: RecordKey, index: { partition: string; letter: string }): RecordKey {
  return { partition: index.partition, sort: `${index.letter}#${to.sort}#${to.partition}` };
}

function toStored({ key: to, index, later: seconds, ...rest }: Draft, now: number): StoredRecord {
  return {
    key: to,
    index: index === null ? undefined : placeOf(to, index),
    expiresAt: seconds === undefined ? undefined : now + seconds,
    ...rest,
  };
}

const change: fc.Arbitrary<Omit<RecordChange, 'index'> & { later: number | undefined }> = fc
  .record({
    value,
    adds: fc.dictionary(fc.constantFrom(...COUNTERS), fc.integer({ min: -5, max: 5 }), { maxKeys: 2 }),
    removes: fc.array(fc.constantFrom(...FIELDS, 'none'), { maxLength: 2 }),
    overlap: fc.integer({ min: 0, max: 20 }).map((n) => n === 0),
    later,
  })
  .map(({ value: set, adds, removes, overlap, later: seconds }) => {
    if (overlap) return { set, add: adds, remove: removes, later: seconds };
    const free = Object.entries(set).filter(([field]) => !(field in adds) && !removes.includes(field));
    const remove = removes.filter((field) => !(field in adds));
    return { set: Object.fromEntries(free), add: adds, remove, later: seconds };
  });

const bounds: fc.Arbitrary<Partial<RecordQuery>> = fc.oneof(
  fc.constant({}),
  fc.record({ sortPrefix: fc.constantFrom('', 'a', 'a#', 'x#', 'x#a', '😀', 'none') }),
  fc.record(
    {
      from: fc.constantFrom('', 'B', 'a#1', 'x#b', '中'),
      to: fc.constantFrom('a#1', 'x#z', '', '\uFFFF', '😀'),
    },
    { requiredKeys: [] },
  ),
);
const list = fc
  .record({ key, index: fc.option(indexPartition), bounds })
  .map(({ key: { partition }, index, bounds: within }) =>
    index === null ? { partition, ...within } : { partition: index, byIndex: true, ...within },
  );

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: key.map((to) => named('get', (records) => records.get(to), to)) },
  { weight: 6, arbitrary: fc.tuple(draft, expectation).map(putOperation) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        key,
        change,
        fc.option(fieldExpectation, { nil: undefined }),
        fc.constantFrom(undefined, null, 'i', 'I'),
      )
      .map(updateOperation),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(key, fc.option(fieldExpectation, { nil: undefined }))
      .map((input) => named('delete', (records) => records.delete(...input), input)),
  },
  { weight: 1, arbitrary: fc.array(draft, { maxLength: 30 }).map(putManyOperation) },
  {
    weight: 1,
    arbitrary: fc
      .array(key, { maxLength: 5 })
      .map((keys) => named('deleteMany', (records) => records.deleteMany(keys), keys)),
  },
  { weight: 2, arbitrary: fc.array(key, { maxLength: 30 }).map(getManyOperation) },
  { weight: 2, arbitrary: list.map((query) => named('count', (records) => records.count(query), query)) },
  { weight: 5, arbitrary: fc.tuple(list, fc.integer({ min: 0, max: 5 }), fc.boolean()).map(walkOperation) },
  { weight: 1, arbitrary: fc.tuple(list, list).map(foreignCursorOperation) },
);

function named(name: string, run: Operation['run'], input: unknown): Operation {
  return { name: `${name} ${JSON.stringify(input)}`, run };
}

function putOperation([record, expected]: [Draft, Expectation | undefined]): Operation {
  const run: Operation['run'] = (records, now) => records.put(toStored(record, now), expected);
  return named('put', run, [record, expected]);
}

function updateOperation([to, { later: seconds, ...fields }, expected, index]: [
  RecordKey,
  Omit<RecordChange, 'index'> & { later: number | undefined },
  FieldExpectation | undefined,
  undefined | null | string,
]): Operation {
  const run: Operation['run'] = (records, now) => {
    const moved = index ? placeOf(to, { partition: index, letter: 'z' }) : (index as null | undefined);
    const expiry = seconds === undefined ? {} : { expiresAt: now + seconds };
    return records.update(
      to,
      { ...fields, ...expiry, ...(moved !== undefined && { index: moved }) },
      expected,
    );
  };
  return named('update', run, [to, fields, seconds, expected, index]);
}

function putManyOperation(drafts: Draft[]): Operation {
  const run: Operation['run'] = (records, now) =>
    records.putMany(drafts.map((record) => toStored(record, now)));
  return named('putMany', run, drafts);
}

function getManyOperation(keys: RecordKey[]): Operation {
  const placed = ({ key: { partition, sort } }: StoredRecord) => `${partition}|${sort}`;
  const run: Operation['run'] = async (records) =>
    (await records.getMany(keys)).sort((one, other) => (placed(one) < placed(other) ? -1 : 1));
  return named('getMany', run, keys);
}

/** Reads every page with its cursor; the limit 0 is rejected. */
function walkOperation([query, limit, descending]: [RecordQuery, number, boolean]): Operation {
  const order = descending ? ('descending' as const) : ('ascending' as const);
  const run: Operation['run'] = async (records) => {
    const pages: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await records.query({ ...query, order, limit, ...(cursor && { cursor }) });
      pages.push(page);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return pages;
  };
  return named('walk', run, [query, limit, order]);
}

function foreignCursorOperation([query, other]: [RecordQuery, RecordQuery]): Operation {
  const run: Operation['run'] = async (records) => {
    const { cursor } = await records.query({ ...query, limit: 1 });
    return records.query({ ...other, ...(cursor && { cursor }) });
  };
  return named('cursor elsewhere', run, [query, other]);
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

it(`dynamodbRecords returns the same as SQLite for ${OPERATIONS} random operations (SEED=${seed})`, async () => {
  // Ahead of the host's clock, because DynamoDB Local uses that clock for expiration.
  let now = Math.floor(Date.now() / 1000) + 86_400;
  const clock = { now: () => now * 1000 };
  const client = connectDynamodb('DYNAMODB_URL');
  const dynamodb = dynamodbRecords(client, await createTable(client), clock);
  const sqlite = sqliteRecords(openDatabase(await tempFolder()), clock);
  const refusals = new Map<string, number>();
  for (const [step, { name, run }] of fc.sample(operation, { seed, numRuns: OPERATIONS }).entries()) {
    const [one, other] = await Promise.all([outcome(run(sqlite, now)), outcome(run(dynamodb, now))]);
    const where = `SEED=${seed}, operation ${step}: ${name}`;
    expect({ where, answer: other }).toEqual({ where, answer: one });
    if (typeof one === 'string')
      refusals.set(one.split(':')[0] ?? '', (refusals.get(one.split(':')[0] ?? '') ?? 0) + 1);
    if (step % 7 === 0) now += 5;
  }
  console.log(`${OPERATIONS} operations, SEED=${seed}; refused alike:`, Object.fromEntries(refusals));
  // Otherwise, the operations would have tested little.
  expect([...refusals.keys()]).toEqual(
    expect.arrayContaining(['ExpectationFailed', 'InvalidInput', 'RangeError', 'TypeError']),
  );
}, 120_000);

import { expect, it } from '@jest/globals';
import * as z from 'zod';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { collection } from '../../../lib/records/collection.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const things = collection({
  kind: 'test-long-thing',
  schema: z.object({ id: z.string(), text: z.string() }),
  key: ({ id }: { id: string }) => ({ partition: 'THINGS', sort: id }),
});
const COUNT = 100;
const records = sqliteRecords(openDatabase(await tempFolder()));
const ITEMS = Array.from({ length: COUNT }, (_, at) => ({
  id: `${at}`.padStart(3, '0'),
  text: 'a'.repeat(300_000),
}));
await things.putMany(records, ITEMS);

it('list ends a page early if its records are long', async () => {
  const { items, cursor } = await things.list(records, { partition: 'THINGS', limit: COUNT });
  expect(items.length).toBeLessThan(5);
  expect(cursor).toBeDefined();
});

it.each(['all', 'getMany'] as const)('list lets other work run while %s reads it', async (name) => {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  const read = { all: () => Array.fromAsync(things.all(records, { partition: 'THINGS' })), getMany };
  const found = await read[name]();
  clearImmediate(timer);
  expect(new Set(found.map(({ id }) => id)).size).toBe(COUNT);
  expect(turns).toBeGreaterThan(2);
});

function getMany() {
  return things.getMany(
    records,
    ITEMS.map(({ id }) => ({ id })),
  );
}

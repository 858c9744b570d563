import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { change } from '../../../lib/records/change.ts';
import { collection } from '../../../lib/records/collection.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const counters = collection({
  kind: 'counter-of-changes',
  schema: z.object({ id: z.string(), version: z.int(), count: z.int() }),
  key: ({ id }: { id: string }) => ({ partition: 'COUNTERS', sort: id }),
});

describe('optimistic update', () => {
  it('succeeds for each of sixty concurrent writers, in one process or in several', async () => {
    const records = sqliteRecords(openDatabase(await tempFolder()));
    const add = () =>
      change(counters, records, { id: 'a' }, (before) => ({ id: 'a', count: (before?.count ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 60 }, add));
    expect(await counters.get(records, { id: 'a' })).toEqual({ id: 'a', version: 60, count: 60 });
  });

  it('fails if another writer is faster each time, and is written once no writer is faster', async () => {
    const records = sqliteRecords(openDatabase(await tempFolder()));
    const id = { id: 'b' };
    await counters.create(records, { id: 'b', version: 1, count: 0 });
    let others = 0;
    const overtaken = (times: number) =>
      change(counters, records, id, async (before) => {
        if (others++ < times) await counters.update(records, id, { add: { version: 1 } });
        return { count: (before?.count ?? 0) + 1 };
      });
    expect(await overtaken(3)).toMatchObject({ count: 1, version: 5 });
    others = 0;
    await expect(overtaken(Number.POSITIVE_INFINITY)).rejects.toMatchObject({ code: 'concurrent_changes' });
    expect(await counters.get(records, id)).toMatchObject({ count: 1 });
  });
});

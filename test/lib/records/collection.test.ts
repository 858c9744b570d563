import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as z from 'zod';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { ExpectationFailed, type RecordQuery } from '../../../lib/ports/records.ts';
import { collection } from '../../../lib/records/collection.ts';
import { UnreadableRecord } from '../../../lib/records/readable.ts';
import { countFor } from '../../../lib/telemetry/metrics.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let now = Date.now();
const database = openDatabase(await tempFolder());
const records = sqliteRecords(database, { now: () => now });
const noteSchema = z.object({
  id: z.string(),
  owner: z.string(),
  title: z.string().max(10),
  likes: z.int().default(0),
  tag: z.string().optional(),
  until: z.int().optional(),
});
const notes = collection({
  kind: 'test-note',
  schema: noteSchema,
  key: ({ owner, id }: { owner: string; id: string }) => ({ partition: `notes#${owner}`, sort: id }),
  index: ({ tag, id }) => (tag === undefined ? undefined : { partition: `tag#${tag}`, sort: id }),
  expiresAt: ({ until }) => until,
});

let owners = 0;
const newOwner = () => `o${owners++}`;
const note = (owner: string, id = '1', more = {}) => ({ id, owner, title: 't', likes: 0, ...more });
async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('collection', () => {
  it('creates an item once, and returns it', async () => {
    const owner = newOwner();
    expect(await notes.create(records, note(owner))).toBe(true);
    expect(await notes.create(records, note(owner, '1', { title: 'other' }))).toBe(false);
    expect(await notes.get(records, { owner, id: '1' })).toEqual(note(owner));
    expect(await notes.get(records, { owner, id: '2' })).toBeUndefined();
  });

  it('puts with and without a condition', async () => {
    const owner = newOwner();
    expect(await notes.put(records, note(owner), { title: 't' })).toBe(false);
    expect(await notes.put(records, note(owner))).toBe(true);
    expect(await notes.put(records, note(owner, '1', { likes: 5 }), { likes: 0 })).toBe(true);
    expect(await notes.put(records, note(owner, '1', { likes: 9 }), { likes: 0 })).toBe(false);
    expect(await notes.get(records, note(owner))).toMatchObject({ likes: 5 });
  });

  it('passes on every other failure', async () => {
    const failing = { ...records, put: () => Promise.reject(new Error('disk full')) };
    await expect(notes.create(failing, note(newOwner()))).rejects.toThrow('disk full');
  });

  it('writes nothing that its schema rejects', async () => {
    const owner = newOwner();
    const wrong = note(owner, '1', { title: 'far too long a title' });
    await expect((async () => notes.put(records, wrong))()).rejects.toThrow(z.ZodError);
    await expect((async () => notes.putMany(records, [wrong]))()).rejects.toThrow(z.ZodError);
    expect(await notes.get(records, wrong)).toBeUndefined();
  });

  it('fills in missing fields of older records, and rejects a broken one', async () => {
    const owner = newOwner();
    await records.put({ key: notes.key({ owner, id: '1' }), value: { id: '1', owner, title: 'old' } });
    expect(await notes.get(records, { owner, id: '1' })).toEqual(note(owner, '1', { title: 'old' }));
    await records.put({ key: notes.key({ owner, id: '2' }), value: { id: '2' } });
    await expect(notes.get(records, { owner, id: '2' })).rejects.toThrow(UnreadableRecord);
  });

  it('updates fields and returns the item', async () => {
    const owner = newOwner();
    await notes.create(records, note(owner));
    const change = { set: { title: 'new' }, add: { likes: 2 } };
    expect(await notes.update(records, note(owner), change)).toEqual(
      note(owner, '1', { title: 'new', likes: 2 }),
    );
    await expect(notes.update(records, note(owner), change, { title: 'old' })).rejects.toThrow(
      ExpectationFailed,
    );
    await expect(notes.update(records, { owner, id: 'none' }, change)).rejects.toThrow(ExpectationFailed);
  });

  it('deletes an item', async () => {
    const owner = newOwner();
    await notes.create(records, note(owner));
    await expect(notes.delete(records, note(owner), { title: 'other' })).rejects.toThrow(ExpectationFailed);
    expect(await notes.delete(records, note(owner))).toBe(true);
    expect(await notes.delete(records, note(owner))).toBe(false);
  });

  it('keeps the index key that its item defines', async () => {
    const [owner, tag] = [newOwner(), newOwner()];
    const tagged = { partition: `tag#${tag}`, byIndex: true };
    await notes.putMany(records, [note(owner, '1', { tag }), note(owner, '2')]);
    expect(await gather(notes.all(records, tagged))).toEqual([note(owner, '1', { tag })]);
    await notes.put(records, note(owner, '1'));
    expect(await gather(notes.all(records, tagged))).toEqual([]);
  });

  it('lets items expire at their own time', async () => {
    const owner = newOwner();
    await notes.create(records, note(owner, '1', { until: Math.floor(now / 1000) + 10 }));
    expect(await notes.get(records, note(owner))).toBeDefined();
    now += 11_000;
    expect(await notes.get(records, note(owner))).toBeUndefined();
  });

  it('lists by page, all, and by IDs', async () => {
    const owner = newOwner();
    const five = ['1', '2', '3', '4', '5'].map((id) => note(owner, id));
    await notes.putMany(records, five);
    const query = { partition: `notes#${owner}`, limit: 2 };
    const first = await notes.list(records, query);
    expect(first.items).toEqual(five.slice(0, 2));
    expect((await notes.list(records, { ...query, cursor: first.cursor ?? '' })).items).toEqual(
      five.slice(2, 4),
    );
    expect(await gather(notes.all(records, query))).toEqual(five);
    const some = await notes.getMany(records, [
      { owner, id: '4' },
      { owner, id: 'none' },
      { owner, id: '2' },
    ]);
    expect(some.map(({ id }) => id).sort()).toEqual(['2', '4']);
    await notes.deleteMany(records, five.slice(1));
    expect(await gather(notes.all(records, query))).toEqual(five.slice(0, 1));
  });

  it('reads pages only as they are consumed', async () => {
    const owner = newOwner();
    await notes.putMany(
      records,
      ['1', '2', '3'].map((id) => note(owner, id)),
    );
    let pages = 0;
    const counting = {
      ...records,
      query(query: RecordQuery) {
        pages++;
        return records.query(query);
      },
    };
    for await (const { id } of notes.all(counting, { partition: `notes#${owner}`, limit: 1 })) {
      expect(pages).toBe(Number(id));
      if (id === '2') break;
    }
    expect(pages).toBe(2);
  });
});

describe('unreadable record', () => {
  beforeAll(() => countFor('test'));
  afterAll(() => countFor(undefined));

  it('is omitted from lists, logged once with its key and without its content, and never treated as absent', async () => {
    const owner = newOwner();
    await notes.putMany(records, [note(owner, '1'), note(owner, '3')]);
    await records.put({
      key: notes.key({ owner, id: '2' }),
      value: { id: '2', owner, title: 'a secret title' },
    });
    const lines = await linesOf(async () => {
      const query = { partition: `notes#${owner}` };
      for (const look of [1, 2]) {
        expect((await notes.list(records, query)).items.map(({ id }) => id)).toEqual(['1', '3']);
        expect((await gather(notes.all(records, { ...query, limit: look }))).map(({ id }) => id)).toEqual([
          '1',
          '3',
        ]);
      }
      const ids = ['1', '2', '3'].map((id) => ({ owner, id }));
      expect((await notes.getMany(records, ids)).map(({ id }) => id).sort()).toEqual(['1', '3']);
      await expect(notes.get(records, { owner, id: '2' })).rejects.toThrow(UnreadableRecord);
      expect(await notes.create(records, note(owner, '2'))).toBe(false);
    });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      ...{ message: 'a record was set aside', kind: 'test-note', partition: `notes#${owner}`, sort: '2' },
      wrong: 'title: too_big',
    });
    expect(lines[1]).toMatchObject({
      ...{ stage: 'test', kind: 'test-note', RecordsSetAside: 1 },
      _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: 'RecordsSetAside', Unit: 'Count' }] }] },
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('does not hide the others if its text is corrupted', async () => {
    const [owner, tag] = [newOwner(), newOwner()];
    await notes.putMany(records, [note(owner, '1', { tag }), note(owner, '2', { tag })]);
    database
      .prepare("UPDATE records SET value = '{' WHERE partition = ? AND sort = '1'")
      .run(notes.key({ owner, id: '1' }).partition);
    await linesOf(async () => {
      for (const query of [{ partition: `notes#${owner}` }, { partition: `tag#${tag}`, byIndex: true }])
        expect(await gather(notes.all(records, query))).toEqual([note(owner, '2', { tag })]);
    });
  });
});

describe('second version of a kind', () => {
  const seconds = collection({
    kind: 'test-second',
    schema: z.object({ id: z.string(), words: z.array(z.string()), text: z.string().optional() }),
    key: ({ id }: { id: string }) => ({ partition: 'second', sort: id }),
    upgrades: [({ words, ...rest }) => ({ ...rest, words: words ?? String(rest.text).split(' ') })],
  });

  it('reads records of the first version, and completes partially written ones', async () => {
    await records.put({ key: seconds.key({ id: '1' }), value: { id: '1', text: 'a b' } });
    expect(await seconds.get(records, { id: '1' })).toEqual({ id: '1', text: 'a b', words: ['a', 'b'] });
    expect(await seconds.update(records, { id: '1' }, { set: { words: ['c'] } })).toMatchObject({
      words: ['c'],
    });
    expect(await seconds.get(records, { id: '1' })).toMatchObject({ words: ['c'] });
  });

  it("writes its own version, and keeps a later release's version", async () => {
    await seconds.create(records, { id: '2', words: [] });
    expect(await records.get(seconds.key({ id: '2' }))).toEqual({ v: 2, id: '2', words: [] });
    await records.put({ key: seconds.key({ id: '3' }), value: { v: 7, id: '3', words: [], later: 1 } });
    const read = await seconds.get(records, { id: '3' });
    expect(JSON.parse(JSON.stringify(read))).toEqual({ id: '3', words: [] });
    await seconds.put(records, { ...read, id: '3', words: ['x'] }, { id: '3' });
    expect(await records.get(seconds.key({ id: '3' }))).toEqual({ v: 7, id: '3', words: ['x'], later: 1 });
  });

  it('shares its name with no other kind', () => {
    const again = () =>
      collection({ kind: 'test-second', schema: z.object({}), key: () => ({ partition: 'a', sort: 'b' }) });
    expect(again).toThrow('two kinds');
  });
});

/** Returns the log lines that the work writes. */
async function linesOf(work: () => Promise<void>): Promise<unknown[]> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await work();
    return write.mock.calls.map(([line]) => JSON.parse(String(line)));
  } finally {
    write.mockRestore();
  }
}

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidInput } from '../../lib/errors.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import { ExpectationFailed, type RecordQuery, type Records } from '../../lib/ports/records.ts';

const text = (length: number) => 'x'.repeat(length);
/** Sorted by UTF-8 bytes. UTF-16 order and any collation sort several of these differently. */
const IN_BYTE_ORDER = [
  '\u0001',
  '!',
  '10',
  '9',
  'A',
  'B',
  'a',
  'e\u0301',
  'z',
  'é',
  'я',
  '中',
  '\uE000',
  '\uFFFD',
  '\uFFFF',
  '😀',
  '\u{10FFFF}',
  '\u{10FFFF}a',
];

/**
 * Cases in which an emulator differs from the real service. Such a case must fail, so that a fix is noticed.
 */
export interface RecordsDeviations {
  /** MiniStack silently changes nothing if the operand of an addition isn't a number. */
  ignoresAddingToText?: boolean;
}

/**
 * The contract of lib/ports/records.ts. Each test writes to its own partitions; `open` takes the time from
 * `clock`.
 */
export function describeRecords(
  name: string,
  open: (clock: Clock) => Promise<Records>,
  deviations: RecordsDeviations = {},
): void {
  describe(`${name}: Records`, () => {
    let now = Date.now();
    let records: Records;
    let partition: string;
    let counter = 0;
    const run = Math.random().toString(36).slice(2);
    const key = (sort = 's') => ({ partition, sort });
    const seconds = (later: number) => Math.floor(now / 1000) + later;

    beforeAll(async () => {
      records = await open({ now: () => now });
    });
    beforeEach(() => {
      partition = `p${counter++}-${run}`;
    });

    async function fill(sorts: string[], indexPartition?: string): Promise<void> {
      const index = (sort: string) => (indexPartition ? { partition: indexPartition, sort } : undefined);
      await records.putMany(sorts.map((sort) => ({ key: key(sort), index: index(sort), value: { sort } })));
    }

    async function sortsOf(query: Partial<RecordQuery>): Promise<string[]> {
      const page = await records.query({ partition, ...query });
      return page.records.map((record) => record.key.sort);
    }

    async function walk(query: Partial<RecordQuery>): Promise<string[]> {
      const sorts: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await records.query({ partition, ...query, ...(cursor && { cursor }) });
        expect(page.records.length).toBeLessThanOrEqual(query.limit ?? 1000);
        sorts.push(...page.records.map((record) => record.key.sort));
        cursor = page.cursor;
      } while (cursor !== undefined);
      return sorts;
    }

    describe('get and put', () => {
      it('returns the stored record', async () => {
        const value = {
          s: 'ж"\\\u0000\n😀',
          n: 1.5,
          big: 2 ** 53 - 1,
          no: null,
          yes: true,
          list: [1, 'a', { b: [] }],
          empty: '',
        };
        await records.put({ key: key(), value });
        expect(await records.get(key())).toEqual(value);
      });

      it('returns undefined for a missing record', async () => {
        await records.put({ key: key('s1'), value: {} });
        expect(await records.get(key())).toBeUndefined();
        expect(await records.get(key('S1'))).toBeUndefined();
        expect(await records.get(key('s1 '))).toBeUndefined();
      });

      it('replaces the whole record, including its index and expiration', async () => {
        const index = { partition: `${partition}i`, sort: 'x' };
        await records.put({ key: key(), index, expiresAt: seconds(60), value: { a: 1 } });
        await records.put({ key: key(), value: { b: 2 } });
        expect(await records.get(key())).toEqual({ b: 2 });
        expect(await records.count({ partition: index.partition, byIndex: true })).toBe(0);
        expect((await records.query({ partition })).records).toEqual([
          { key: key(), index: undefined, expiresAt: undefined, value: { b: 2 } },
        ]);
      });

      it('returns copies of its records', async () => {
        const value = { list: [1] };
        await records.put({ key: key(), value });
        value.list.push(2);
        ((await records.get(key())) as typeof value).list.push(3);
        expect(await records.get(key())).toEqual({ list: [1] });
      });
    });

    describe('add', () => {
      const to = (sort: string, add: Record<string, number>) => ({
        record: { key: key(sort), expiresAt: seconds(60), value: { name: sort, a: 0 } },
        add,
      });

      it('creates missing records, adds to existing ones, and returns them', async () => {
        await records.put({ key: key('b'), value: { a: 5, kept: true } });
        const answers = await records.addMany([to('a', { a: 1 }), to('b', { a: 2, c: 3 })]);
        expect(answers).toEqual([
          { name: 'a', a: 1 },
          { a: 7, c: 3, kept: true },
        ]);
        expect(await records.get(key('a'))).toEqual({ name: 'a', a: 1 });
        expect(await records.addMany([])).toEqual([]);
      });

      it('sums up concurrent additions', async () => {
        await Promise.all(
          Array.from({ length: 20 }, () => records.addMany([to('a', { a: 1 }), to('b', { a: 2 })])),
        );
        expect((await records.getMany([key('a'), key('b')])).map(({ value }) => value.a).sort()).toEqual([
          20, 40,
        ]);
      });

      if (!deviations.ignoresAddingToText)
        it("names the record that can't be added to, and continues with the others", async () => {
          await records.put({ key: key('a'), value: { a: 'text' } });
          const [refused, added] = await records.addMany([to('a', { a: 1 }), to('b', { a: 1 })]);
          expect(refused).toBeInstanceOf(Error);
          expect(added).toMatchObject({ a: 1 });
          expect(await records.get(key('a'))).toEqual({ a: 'text' });
        });
    });

    describe('batches', () => {
      const sorts = Array.from({ length: 230 }, (_, index) => `s${index}`);

      it('write, read, and remove more than one batch', async () => {
        await fill(sorts);
        const found = await records.getMany([...sorts.map(key), key('none')]);
        expect(found.map((record) => record.key.sort).sort()).toEqual([...sorts].sort());
        await records.deleteMany([...sorts.slice(1).map(key), key('none')]);
        expect(await sortsOf({})).toEqual(['s0']);
      });

      it('can be empty', async () => {
        await records.putMany([]);
        await records.deleteMany([]);
        expect(await records.getMany([])).toEqual([]);
      });

      it('keep the index entry and the expiration of each record', async () => {
        const record = {
          key: key(),
          index: { partition: `${partition}i`, sort: 'x' },
          expiresAt: seconds(60),
          value: {},
        };
        await records.putMany([record]);
        expect(await records.getMany([key()])).toEqual([record]);
      });

      it('can be repeated', async () => {
        await fill(['a', 'b']);
        await fill(['a', 'b']);
        expect(await sortsOf({})).toEqual(['a', 'b']);
      });
    });

    describe('conditions', () => {
      const present = { n: 1, s: 'b', yes: true, no: null };

      it('allow only the first write if they require an absent record', async () => {
        await records.put({ key: key(), value: { v: 1 } }, 'absent');
        await expect(records.put({ key: key(), value: { v: 2 } }, 'absent')).rejects.toThrow(
          ExpectationFailed,
        );
        expect(await records.get(key())).toEqual({ v: 1 });
      });

      it('allow overwriting only existing records if they require a record', async () => {
        await expect(records.put({ key: key(), value: {} }, 'present')).rejects.toThrow(ExpectationFailed);
        expect(await records.get(key())).toBeUndefined();
        await records.put({ key: key(), value: {} });
        await records.put({ key: key(), value: { v: 2 } }, 'present');
        expect(await records.get(key())).toEqual({ v: 2 });
      });

      it.each([
        [{ n: 1 }],
        [{ s: 'b', yes: true }],
        [{ no: null }],
        [{ missing: undefined }],
        [{ n: { lessThan: 2 } }],
        [{ n: { lessThan: 1.01 } }],
        [{ s: { lessThan: 'c' } }],
        [{ s: { lessThan: 'ba' } }],
        [{}],
      ])('are met: %j', async (expected) => {
        await records.put({ key: key(), value: present });
        await records.put({ key: key(), value: { v: 2 } }, expected);
        expect(await records.get(key())).toEqual({ v: 2 });
      });

      it.each([
        [{ n: 2 }],
        [{ n: '1' }],
        [{ s: 'B' }],
        [{ yes: 'true' }],
        [{ yes: false }],
        [{ no: undefined }],
        [{ missing: null }],
        [{ n: undefined }],
        [{ n: 1, s: 'a' }],
        [{ n: { lessThan: 1 } }],
        [{ s: { lessThan: 'b' } }],
        [{ n: { lessThan: 'z' } }],
        [{ s: { lessThan: 9 } }],
        [{ missing: { lessThan: 9 } }],
        [{ no: { lessThan: 9 } }],
      ])('are not met, and nothing changes: %j', async (expected) => {
        await records.put({ key: key(), value: present });
        await expect(records.put({ key: key(), value: {} }, expected)).rejects.toThrow(ExpectationFailed);
        await expect(records.update(key(), { set: { v: 2 } }, expected)).rejects.toThrow(ExpectationFailed);
        await expect(records.delete(key(), expected)).rejects.toThrow(ExpectationFailed);
        expect(await records.get(key())).toEqual(present);
      });

      it('compare texts by their UTF-8 bytes', async () => {
        await records.put({ key: key(), value: { s: '\uFFFD' } });
        await records.put({ key: key(), value: { s: '😀' } }, { s: { lessThan: '😀' } });
        await expect(records.put({ key: key(), value: {} }, { s: { lessThan: '\uFFFD' } })).rejects.toThrow(
          ExpectationFailed,
        );
      });

      it.each([[{ missing: undefined }], [{}]])(
        'on fields require an existing record: %j',
        async (expected) => {
          await expect(records.put({ key: key(), value: {} }, expected)).rejects.toThrow(ExpectationFailed);
          await expect(records.update(key(), {}, expected)).rejects.toThrow(ExpectationFailed);
          await expect(records.delete(key(), expected)).rejects.toThrow(ExpectationFailed);
          expect(await records.get(key())).toBeUndefined();
        },
      );
    });

    describe('update', () => {
      it('sets, adds, and removes in one step, and returns the new record', async () => {
        await records.put({ key: key(), value: { a: 1, b: 2, c: 3 } });
        const after = await records.update(key(), {
          set: { a: 'x', d: [1] },
          add: { b: 5, new: -1.5 },
          remove: ['c', 'none'],
        });
        expect(after).toEqual({ a: 'x', b: 7, d: [1], new: -1.5 });
        expect(await records.get(key())).toEqual(after);
      });

      it('throws for a missing record and creates none', async () => {
        await expect(records.update(key(), { set: { a: 1 } })).rejects.toThrow(ExpectationFailed);
        await expect(records.update(key(), { add: { a: 1 } })).rejects.toThrow(ExpectationFailed);
        expect(await records.get(key())).toBeUndefined();
      });

      const unlessIgnored = deviations.ignoresAddingToText ? it.failing : it;
      unlessIgnored("changes nothing if the field to add to isn't a number", async () => {
        await records.put({ key: key(), value: { a: 'text', b: null } });
        await expect(records.update(key(), { set: { c: 1 }, add: { a: 1 } })).rejects.toThrow(TypeError);
        await expect(records.update(key(), { add: { b: 1 } })).rejects.toThrow(TypeError);
        expect(await records.get(key())).toEqual({ a: 'text', b: null });
      });

      it('rejects a change that names a field twice', async () => {
        await records.put({ key: key(), value: { a: 1 } });
        const changes = [
          { set: { a: 2 }, add: { a: 1 } },
          { set: { a: 2 }, remove: ['a'] },
          { add: { a: 1 }, remove: ['a'] },
        ];
        for (const change of changes) {
          await expect(records.update(key(), change)).rejects.toThrow(TypeError);
        }
        expect(await records.get(key())).toEqual({ a: 1 });
      });

      it('accepts field names of every kind', async () => {
        await records.put({
          key: key(),
          value: { name: 1, 'a.b': 1, 'c d': 1, '#x': 1, ':y': 1, value: 1, 'ж"\'': 1 },
        });
        const after = await records.update(
          key(),
          { set: { name: 2, 'a.b': 2 }, add: { 'c d': 1, '#x': 1, 'ж"\'': 1 }, remove: [':y'] },
          { value: 1, 'a.b': 1 },
        );
        expect(after).toEqual({ name: 2, 'a.b': 2, 'c d': 2, '#x': 2, value: 1, 'ж"\'': 2 });
      });

      it('moves, keeps, and removes the index entry', async () => {
        const [one, two] = [`${partition}i1`, `${partition}i2`];
        const sizes = async () => [
          await records.count({ partition: one, byIndex: true }),
          await records.count({ partition: two, byIndex: true }),
        ];
        await records.put({ key: key(), index: { partition: one, sort: 'x' }, value: {} });
        await records.update(key(), { set: { a: 1 } });
        expect(await sizes()).toEqual([1, 0]);
        await records.update(key(), { index: { partition: two, sort: 'y' } });
        expect(await sizes()).toEqual([0, 1]);
        await records.update(key(), { index: null });
        expect(await sizes()).toEqual([0, 0]);
        expect(await records.get(key())).toEqual({ a: 1 });
      });

      it('sets and keeps the expiration', async () => {
        await records.put({ key: key(), value: {} });
        await records.update(key(), { expiresAt: seconds(100) });
        await records.update(key(), { set: { a: 1 } });
        expect((await records.query({ partition })).records[0]?.expiresAt).toBe(seconds(100));
      });
    });

    describe('delete', () => {
      it('returns whether there was a record', async () => {
        await records.put({ key: key(), value: {} });
        expect(await records.delete(key())).toBe(true);
        expect(await records.delete(key())).toBe(false);
        expect(await records.get(key())).toBeUndefined();
      });

      it('removes a record that meets its condition', async () => {
        await records.put({ key: key(), index: { partition: `${partition}i`, sort: 'x' }, value: { a: 1 } });
        expect(await records.delete(key(), { a: 1 })).toBe(true);
        expect(await records.count({ partition: `${partition}i`, byIndex: true })).toBe(0);
      });
    });

    describe('concurrent calls', () => {
      const twenty = Array.from({ length: 20 }, (_, index) => index);
      const countOk = (ends: PromiseSettledResult<unknown>[]) => {
        const failures = ends.filter((end) => end.status === 'rejected');
        for (const { reason } of failures) expect(reason).toBeInstanceOf(ExpectationFailed);
        return ends.length - failures.length;
      };

      it('let one of twenty conditional puts succeed', async () => {
        const puts = twenty.map((n) => records.put({ key: key(), value: { n } }, 'absent'));
        expect(countOk(await Promise.allSettled(puts))).toBe(1);
      });

      it('let one of twenty updates from the same state succeed', async () => {
        await records.put({ key: key(), value: { state: 'old' } });
        const updates = twenty.map((n) =>
          records.update(key(), { set: { state: 'new', n } }, { state: 'old' }),
        );
        expect(countOk(await Promise.allSettled(updates))).toBe(1);
      });

      it('let one of twenty deletes find the record', async () => {
        await records.put({ key: key(), value: {} });
        const found = await Promise.all(twenty.map(() => records.delete(key())));
        expect(found.filter(Boolean)).toHaveLength(1);
      });

      it('sum up additions, and return to each caller its own result', async () => {
        await records.put({ key: key(), value: {} });
        const seen = await Promise.all(twenty.map(() => records.update(key(), { add: { n: 1 } })));
        expect(await records.get(key())).toEqual({ n: 20 });
        expect(new Set(seen.map(({ n }) => n)).size).toBe(20);
      });
    });

    describe('query', () => {
      it.each(['ascending', 'descending'] as const)('returns 2,500 records by page, %s', async (order) => {
        const sorts = Array.from({ length: 2500 }, (_, index) => String(index).padStart(5, '0'));
        await fill(sorts, `${partition}i`);
        const expected = order === 'ascending' ? sorts : sorts.toReversed();
        expect(await walk({ order, limit: 70 })).toEqual(expected);
        expect(await walk({ order, limit: 999, partition: `${partition}i`, byIndex: true })).toEqual(
          expected,
        );
        expect(await records.count({ partition })).toBe(2500);
      });

      it('returns 1000 by default', async () => {
        await fill(Array.from({ length: 1001 }, (_, index) => `${index}`));
        const page = await records.query({ partition });
        expect(page.records).toHaveLength(1000);
        expect((await records.query({ partition, cursor: page.cursor ?? '' })).records).toHaveLength(1);
      });

      it('returns no cursor at the end', async () => {
        await fill(['a', 'b']);
        expect((await records.query({ partition, limit: 3 })).cursor).toBeUndefined();
        expect(await walk({ limit: 1 })).toEqual(['a', 'b']);
        expect(await records.query({ partition: `${partition}none` })).toEqual({ records: [] });
      });

      it('continues after the cursor, even if records are added or removed in between', async () => {
        await fill(['a', 'b', 'd']);
        const { cursor = '' } = await records.query({ partition, limit: 2 });
        await records.delete(key('b'));
        await fill(['c', 'a0']);
        expect(await sortsOf({ cursor })).toEqual(['c', 'd']);
      });

      it('orders by UTF-8 bytes, even in the index', async () => {
        await fill(IN_BYTE_ORDER.toReversed(), `${partition}i`);
        const index = { partition: `${partition}i`, byIndex: true };
        expect(await sortsOf({})).toEqual(IN_BYTE_ORDER);
        expect(await walk({ limit: 1 })).toEqual(IN_BYTE_ORDER);
        expect(await walk({ ...index, limit: 2 })).toEqual(IN_BYTE_ORDER);
        expect(await walk({ ...index, limit: 2, order: 'descending' })).toEqual(IN_BYTE_ORDER.toReversed());
      });

      it.each([
        ['a', ['a', 'a\u0000', 'a#', 'a%', 'a_b', 'a😀', 'a\u{10FFFF}', 'a\u{10FFFF}\u{10FFFF}z']],
        ['a_', ['a_b']],
        ['a%', ['a%']],
        ['A', ['A', 'A1']],
        ['a\u{10FFFF}', ['a\u{10FFFF}', 'a\u{10FFFF}\u{10FFFF}z']],
        ['a😀', ['a😀']],
        ['é', ['é', 'éa']],
        ['none', []],
      ])('finds by the prefix %j', async (sortPrefix, expected) => {
        const all = [
          'A',
          'A1',
          '`',
          'a',
          'a\u0000',
          'a#',
          'a%',
          'a_b',
          'a😀',
          'a\u{10FFFF}',
          'a\u{10FFFF}\u{10FFFF}z',
          'b',
          'e\u0301',
          'é',
          'éa',
          '\u{10FFFF}',
        ];
        await fill(all, `${partition}i`);
        expect(await sortsOf({ sortPrefix })).toEqual(expected);
        expect(await walk({ sortPrefix, limit: 1, order: 'descending' })).toEqual(expected.toReversed());
        expect(await walk({ sortPrefix, limit: 2, partition: `${partition}i`, byIndex: true })).toEqual(
          expected,
        );
        expect(await records.count({ partition, sortPrefix })).toBe(expected.length);
      });

      it.each([
        [{ from: 'b' }, ['b', 'b1', 'c']],
        [{ to: 'b' }, ['a', 'b']],
        [{ from: 'b', to: 'b' }, ['b']],
        [{ from: 'aa', to: 'bz' }, ['b', 'b1']],
        [{ from: 'c', to: 'a' }, []],
        [{ from: 'd' }, []],
      ])('finds within the inclusive range %j', async (bounds, expected) => {
        await fill(['a', 'b', 'b1', 'c'], `${partition}i`);
        expect(await sortsOf(bounds)).toEqual(expected);
        expect(await walk({ ...bounds, limit: 1, order: 'descending' })).toEqual(expected.toReversed());
        expect(await walk({ ...bounds, limit: 1, partition: `${partition}i`, byIndex: true })).toEqual(
          expected,
        );
        expect(await records.count({ partition, ...bounds })).toBe(expected.length);
      });

      it('finds nothing in a range without possible sort keys', async () => {
        await fill(['a', text(1024)]);
        expect(await sortsOf({ to: '' })).toEqual([]);
        expect(await sortsOf({ sortPrefix: text(1025) })).toEqual([]);
        expect(await records.count({ partition, to: '' })).toBe(0);
        expect(await sortsOf({ from: '', sortPrefix: '' })).toEqual(['a', text(1024)]);
      });

      it('finds in the index only records with an index entry', async () => {
        await fill(['a', 'b'], `${partition}i`);
        await fill(['c']);
        const page = await records.query({ partition: `${partition}i`, byIndex: true });
        expect(page.records.map((record) => record.index)).toEqual([
          { partition: `${partition}i`, sort: 'a' },
          { partition: `${partition}i`, sort: 'b' },
        ]);
      });

      it.each(['ascending', 'descending'] as const)(
        'finds each of many records with the same index key, %s',
        async (order) => {
          const index = { partition: `${partition}i`, sort: 'same' };
          const keys = ['p1', 'p2'].flatMap((name) =>
            ['1', '2', '3', '4'].map((sort) => ({ partition: partition + name, sort })),
          );
          await records.putMany(keys.map((place) => ({ key: place, index, value: {} })));
          const found: string[] = [];
          let cursor: string | undefined;
          do {
            const page = await records.query({
              partition: index.partition,
              byIndex: true,
              order,
              limit: 3,
              ...(cursor && { cursor }),
            });
            found.push(...page.records.map((record) => record.key.partition + record.key.sort));
            cursor = page.cursor;
          } while (cursor !== undefined);
          expect(found.sort()).toEqual(keys.map((place) => place.partition + place.sort).sort());
        },
      );
    });

    describe('cursors', () => {
      async function cursorOf(query: Partial<RecordQuery> = {}): Promise<string> {
        await fill(['a', 'b', 'c'], partition);
        return (await records.query({ partition, limit: 1, ...query })).cursor ?? '';
      }

      it.each([['', 'x', '!!!', 'e30', 'W10', 'bnVsbA', 'a'.repeat(5000), '{"partition":"p"}']].flat())(
        'reject %j',
        async (cursor) => {
          await fill(['a']);
          await expect(records.query({ partition, cursor })).rejects.toThrow(InvalidInput);
        },
      );

      it('are rejected for another list', async () => {
        const cursor = await cursorOf();
        await expect(records.query({ partition: `${partition}x`, cursor })).rejects.toThrow(InvalidInput);
        await expect(records.query({ partition, byIndex: true, cursor })).rejects.toThrow(InvalidInput);
      });

      it('are rejected for another range', async () => {
        const cursor = await cursorOf({ from: 'a' });
        expect(await sortsOf({ from: 'a', cursor })).toEqual(['b', 'c']);
        await expect(records.query({ partition, from: 'b', cursor })).rejects.toThrow(InvalidInput);
        await expect(records.query({ partition, sortPrefix: 'a', cursor })).rejects.toThrow(InvalidInput);
        await expect(records.query({ partition, cursor })).rejects.toThrow(InvalidInput);
      });

      it('are rejected for the keys if they belong to the index', async () => {
        const cursor = await cursorOf({ byIndex: true });
        await expect(records.query({ partition, cursor })).rejects.toThrow(InvalidInput);
      });

      it('fit into a header and a query parameter', async () => {
        expect(await cursorOf()).toMatch(/^[\w.~-]+$/);
      });
    });

    describe('expired records', () => {
      it('are hidden from every read', async () => {
        const index = { partition: `${partition}i`, sort: 'x' };
        await records.put({ key: key(), index, expiresAt: seconds(10), value: {} });
        await records.put({ key: key('t'), index, expiresAt: seconds(12), value: {} });
        now += 10_999;
        expect(await records.get(key())).toBeUndefined();
        expect(await records.getMany([key()])).toEqual([]);
        expect(await sortsOf({})).toEqual(['t']);
        expect(await sortsOf({ partition: index.partition, byIndex: true })).toEqual(['t']);
        expect(await records.count({ partition })).toBe(1);
      });

      it('are visible until they expire', async () => {
        await records.put({ key: key(), expiresAt: seconds(10), value: { a: 1 } });
        now += 8000;
        expect(await records.get(key())).toEqual({ a: 1 });
      });

      it('count as absent for every write', async () => {
        const gone = { key: key(), expiresAt: seconds(-1), value: { a: 1 } };
        const renew = () => records.put(gone);
        await renew();
        await expect(records.update(key(), { set: { b: 1 } })).rejects.toThrow(ExpectationFailed);
        await expect(records.put({ key: key(), value: {} }, 'present')).rejects.toThrow(ExpectationFailed);
        await expect(records.put({ key: key(), value: {} }, { a: 1 })).rejects.toThrow(ExpectationFailed);
        await renew();
        await expect(records.delete(key(), { a: 1 })).rejects.toThrow(ExpectationFailed);
        await renew();
        expect(await records.delete(key())).toBe(false);
        await renew();
        await records.put({ key: key(), value: { b: 2 } }, 'absent');
        expect(await records.get(key())).toEqual({ b: 2 });
      });
    });

    describe('limits', () => {
      it('allow keys of the maximum length in bytes, and queries for them', async () => {
        const longest = { partition: `${partition.padEnd(2046, 'p')}é`, sort: `${text(1022)}é` };
        await records.put({ key: longest, index: longest, value: { a: 1 } });
        expect(await records.get(longest)).toEqual({ a: 1 });
        expect(
          await records.count({ partition: longest.partition, byIndex: true, sortPrefix: longest.sort }),
        ).toBe(1);
      });

      it.each([
        ['an empty partition', { partition: '', sort: 's' }],
        ['an empty sort key', { partition: 'p', sort: '' }],
        ['a partition over 2048 bytes', { partition: `${text(2047)}é`, sort: 's' }],
        ['a sort key over 1024 bytes', { partition: 'p', sort: `${text(1023)}é` }],
      ])('exclude %s, even in the index', async (_name, wrong) => {
        await expect(records.put({ key: wrong, value: {} })).rejects.toThrow(RangeError);
        await expect(records.putMany([{ key: key(), index: wrong, value: {} }])).rejects.toThrow(RangeError);
        await records.put({ key: key('t'), value: {} });
        await expect(records.update(key('t'), { index: wrong })).rejects.toThrow(RangeError);
        await expect(records.get(wrong)).rejects.toThrow(RangeError);
        await expect(records.update(wrong, {})).rejects.toThrow(RangeError);
        await expect(records.delete(wrong)).rejects.toThrow(RangeError);
        await expect(records.deleteMany([wrong])).rejects.toThrow(RangeError);
        expect(await records.get(key())).toBeUndefined();
      });

      it('allow a record of 399 KB and exclude one over 400 KB', async () => {
        await records.put({ key: key(), value: { text: text(399 * 1024) } });
        expect(await records.get(key())).toEqual({ text: text(399 * 1024) });
        const large = { text: text(400 * 1024) };
        await expect(records.put({ key: key(), value: large })).rejects.toThrow(RangeError);
        await expect(records.putMany([{ key: key(), value: large }])).rejects.toThrow(RangeError);
        await expect(records.update(key(), { set: { more: text(2048) } })).rejects.toThrow(RangeError);
        expect(await records.get(key())).toEqual({ text: text(399 * 1024) });
      });
    });
  });
}

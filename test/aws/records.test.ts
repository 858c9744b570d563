import { beforeAll, describe, expect, it } from '@jest/globals';
import { dynamodbRecords } from '../../lib/adapters/dynamodb/records.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { Records } from '../../lib/ports/records.ts';
import { describeRecords } from '../contract/records.contract.ts';
import { connectDynamodb, createTable } from './table.ts';

const openOn = (emulator: 'DYNAMODB_URL' | 'MINISTACK_URL') => async (clock: Clock) => {
  const client = connectDynamodb(emulator);
  return dynamodbRecords(client, await createTable(client), clock);
};

describeRecords('DynamoDB Local', openOn('DYNAMODB_URL'));
describeRecords('MiniStack', openOn('MINISTACK_URL'), { ignoresAddingToText: true });

describe('dynamodbRecords', () => {
  let now = Date.now();
  let records: Records;
  const key = { partition: 'p', sort: 's' };

  beforeAll(async () => {
    records = await openOn('DYNAMODB_URL')({ now: () => now });
  });

  it.each([0.1, 1 / 3, 123456789.12345679, 1e21, 2 ** 53 + 2, -1.5e-7, 1e-130, 9.99e125])(
    'returns the number %d exactly, and finds it equal',
    async (n) => {
      await records.put({ key, value: { n, list: [n] } });
      expect(await records.get(key)).toEqual({ n, list: [n] });
      expect(await records.update(key, { set: { found: true } }, { n })).toMatchObject({ n });
    },
  );

  it('stores no undefined, and only valid UTF-8', async () => {
    await records.put({ key, value: { a: undefined, list: [undefined], text: 'x\uD83D', same: '\\ud83d' } });
    expect(await records.get(key)).toEqual({ list: [null], text: 'x\uFFFD', same: '\\ud83d' });
    expect(await records.update(key, { set: { same: undefined, text: '\uDE00' } })).toEqual({
      list: [null],
      text: '\uFFFD',
    });
  });

  it('continues after 16 MB, where a response ends, and after 1 MB, where a page ends', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => ({ partition: 'large', sort: `${index + 10}` }));
    await records.putMany(keys.map((place) => ({ key: place, value: { text: 'x'.repeat(390 * 1024) } })));
    expect(await records.getMany(keys)).toHaveLength(50);
    expect(await records.count({ partition: 'large' })).toBe(50);
    const page = await records.query({ partition: 'large', limit: 49 });
    expect(page.records.map((record) => record.key)).toEqual(keys.slice(0, 49));
    expect(page.cursor).toBeDefined();
  });

  it('fills a page although most records before it have expired', async () => {
    const index = { partition: 'dying-index', sort: 'same' };
    const stored = Array.from({ length: 500 }, (_, place) => ({
      key: { partition: 'dying', sort: String(place).padStart(3, '0') },
      index,
      expiresAt: place % 100 === 99 ? undefined : Math.floor(now / 1000) + 10,
      value: {},
    }));
    await records.putMany(stored);
    now += 20_000;
    const first = await records.query({ partition: 'dying', limit: 2 });
    expect(first.records.map((record) => record.key.sort)).toEqual(['099', '199']);
    const rest = await records.query({ partition: 'dying', limit: 3, cursor: first.cursor ?? '' });
    expect(rest.records.map((record) => record.key.sort)).toEqual(['299', '399', '499']);
    expect(rest.cursor).toBeUndefined();
    expect(await records.count({ partition: index.partition, byIndex: true })).toBe(5);
  });

  it('rejects a record that exceeds 400 KB only because of its keys', async () => {
    const long = { partition: 'p'.repeat(2048), sort: 's'.repeat(1024) };
    const record = { key: long, value: { text: 'x'.repeat(399 * 1024) } };
    await expect(records.put(record)).rejects.toThrow(RangeError);
    await expect(records.putMany([record])).rejects.toThrow(RangeError);
    expect(await records.get(long)).toBeUndefined();
  });

  it('keeps the last of several writes to one key', async () => {
    await records.putMany([1, 2, 3].map((n) => ({ key, value: { n } })));
    expect(await records.getMany([key, key])).toMatchObject([{ value: { n: 3 } }]);
    await records.deleteMany([key, key]);
    expect(await records.get(key)).toBeUndefined();
  });
});

import { beforeEach, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { backgroundWorkDone } from '../../../lib/async/after-response.ts';
import { rememberPerson } from '../../../lib/people/remember.ts';
import { people } from '../../../lib/people/schema.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ANN: Caller = { id: 'ann', role: 'member', workspaceIds: null, profile: { kind: 'user', name: 'Ann' } };
const clock = { now: () => time };
let time = Date.parse('2026-06-01T00:00:00.000Z');
let calls: string[] = [];

const folder = await tempFolder();
const database = openDatabase(folder);
whenDone(async () => database.close());
const store = sqliteRecords(database, clock);
/** Another process, with an empty cache. */
const newProcess = (): Records => ({
  ...store,
  get(key) {
    calls.push('read');
    return store.get(key);
  },
  put(record, expect) {
    calls.push('write');
    return store.put(record, expect);
  },
});
let records = newProcess();

beforeEach(async () => {
  await people.delete(store, ANN);
  records = newProcess();
  calls = [];
});

async function see(caller: Caller): Promise<string[]> {
  calls = [];
  rememberPerson({ records, clock }, caller);
  await backgroundWorkDone();
  return calls;
}

it('rememberPerson costs one lookup and one write per day, and one lookup in another process', async () => {
  expect(await see(ANN)).toEqual(['read', 'write']);
  expect(await see(ANN)).toEqual([]);
  records = newProcess();
  expect(await see(ANN)).toEqual(['read']);
  time += DAY_MS;
  expect(await see(ANN)).toEqual(['read', 'write']);
  expect(await people.get(store, ANN)).toMatchObject({ name: 'Ann', seenAt: new Date(time).toISOString() });
});

it('rememberPerson writes another name at most once per minute', async () => {
  await see(ANN);
  const named = (name: string): Caller => ({ ...ANN, profile: { kind: 'user', name } });
  expect(await see(named('Anna'))).toEqual([]);
  time += 60_000;
  expect(await see(named('Anna'))).toEqual(['read', 'write']);
  expect(await see(ANN)).toEqual([]);
  expect(await people.get(store, ANN)).toMatchObject({ name: 'Anna' });
});

it("rememberPerson writes a token once, because the token's own record has its latest use", async () => {
  const token: Caller = { ...ANN, profile: { kind: 'token', name: 'ci' } };
  expect(await see(token)).toEqual(['read', 'write']);
  time += DAY_MS;
  expect(await see(token)).toEqual(['read']);
});

it('rememberPerson stores nothing about an unauthenticated caller', async () => {
  expect(await see({ id: 'local', role: 'admin', workspaceIds: null })).toEqual([]);
});

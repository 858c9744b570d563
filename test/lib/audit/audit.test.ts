import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { toCsv } from '../../../lib/audit/export.ts';
import { listAudit } from '../../../lib/audit/list.ts';
import { audited } from '../../../lib/audit/record.ts';
import { type AuditAction, type AuditEntry, auditQuery } from '../../../lib/audit/schema.ts';
import { Forbidden, InvalidInput, NotFound } from '../../../lib/errors.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { TimedRecords } from '../../../lib/ports/timed-records.ts';
import { ADMIN } from '../../support/tasks.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

let ports: TimedRecords;

beforeEach(async () => {
  const database = openDatabase(await tempFolder());
  whenDone(async () => database.close());
  ports = { records: sqliteRecords(database), clock: systemClock };
});

const list = (query: object = {}, caller: Caller = ADMIN) =>
  listAudit(ports.records, caller, auditQuery.parse(query));
const act = (action: AuditAction, caller: Caller = ADMIN, about?: string) =>
  audited(ports, caller, { action, about }, async () => 'done');

describe('audited action', () => {
  it('has a target on one line without bidi characters', async () => {
    await act('tokens.revoke', { ...ADMIN, id: 'a\nb' }, 'owls\u202efdp.exe\u2028x');
    expect((await list()).items).toMatchObject([{ actor: 'a b', about: 'owlsfdp.exe x' }]);
  });

  it('is logged before it is executed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let seen: AuditEntry[] = [];
    const acting = audited(
      ports,
      { ...ADMIN, address: '10.0.0.9' },
      { action: 'tokens.revoke', about: 't' },
      async () => {
        seen = (await list()).items;
        await promise;
      },
    );
    resolve();
    await acting;
    expect(seen).toMatchObject([
      { actor: ADMIN.id, action: 'tokens.revoke', about: 't', outcome: 'begun', address: '10.0.0.9' },
    ]);
    expect((await list()).items).toMatchObject([{ outcome: 'done', status: null }]);
  });

  it.each([
    [new NotFound('not_found', 'This token does not exist.'), 'refused', 404],
    [new Error('a secret'), 'failed', 500],
  ])('is logged with its result: %s', async (error, outcome, status) => {
    const work = () => Promise.reject(error);
    await expect(audited(ports, ADMIN, { action: 'tokens.revoke' }, work)).rejects.toBe(error);
    const { items } = await list();
    expect(items).toMatchObject([{ outcome, status }]);
    expect(JSON.stringify(items)).not.toContain('secret');
  });

  it("is not executed if it can't be logged", async () => {
    let done = false;
    const put = () => Promise.reject(new Error('no room'));
    const full = { ...ports, records: { ...ports.records, put } };
    const acting = audited(full, ADMIN, { action: 'tokens.revoke' }, async () => {
      done = true;
    });
    await expect(acting).rejects.toThrow('no room');
    expect(done).toBe(false);
  });

  it('treats external names as text', async () => {
    await act('notes.delete', { ...ADMIN, id: 'ann\r\nbob\u202e\u2028\ud800' }, 'x'.repeat(5000));
    const [entry] = (await list()).items;
    expect(entry?.actor).toBe('ann bob �');
    expect(entry?.about).toHaveLength(2000);
  });
});

describe('audit list', () => {
  it('is visible only to global administrators', async () => {
    await expect(list({}, { ...ADMIN, workspaceIds: ['w'] })).rejects.toBeInstanceOf(Forbidden);
    await expect(list({}, { ...ADMIN, role: 'member' })).rejects.toBeInstanceOf(Forbidden);
  });

  it('is newest first, by page, and filtered as requested', async () => {
    await act('tokens.create');
    await act('tokens.revoke', { ...ADMIN, id: 'ann' });
    await act('settings.change', { ...ADMIN, id: 'ann' });
    const actions = async (query: object) => (await list(query)).items.map(({ action }) => action);
    expect(await actions({})).toEqual(['settings.change', 'tokens.revoke', 'tokens.create']);
    expect(await actions({ action: 'tokens' })).toEqual(['tokens.revoke', 'tokens.create']);
    expect(await actions({ action: 'token' })).toEqual([]);
    expect(await actions({ actor: 'ann', action: 'tokens.revoke' })).toEqual(['tokens.revoke']);
    expect(await actions({ from: '2100-01-01' })).toEqual([]);
    expect(await actions({ to: '2000-01-01' })).toEqual([]);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.cursor });
    expect([...first.items, ...second.items]).toHaveLength(3);
    expect(second.cursor).toBeUndefined();
  });

  it.each(['another', 'AAAA', '%00'])('rejects the cursor %s of another list', async (cursor) => {
    await expect(list({ cursor })).rejects.toBeInstanceOf(InvalidInput);
  });

  it.each([
    ['2026-11-22', true],
    ['2026-11-22T08:00:00+01:00', true],
    ['yesterday', false],
    ['2026-13-01', false],
    ['2026-11-22 or later', false],
  ])('reads %j as a time: %s', (from, isTime) => {
    expect(auditQuery.safeParse({ from }).success).toBe(isTime);
  });

  it('keeps to its time range for any cursor', async () => {
    await act('tokens.create');
    const cursor = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
    expect((await list({ cursor, to: '2000-01-01' })).items).toEqual([]);
  });
});

describe('audit table', () => {
  it.each(['=cmd|x', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '"=1', '＝1', '%0A'])(
    'shows %j as text',
    async (about) => {
      await act('notes.delete', ADMIN, about);
      const [, row] = toCsv((await list()).items).split('\r\n');
      expect(row).toMatch(/,notes\.delete,,"?'/);
    },
  );

  it('names the actor in its last column', async () => {
    await act('notes.delete');
    const items = (await list()).items.map((entry) => ({ ...entry, actorName: 'Ada' }));
    const [names = '', row = ''] = toCsv(items).split('\r\n');
    expect([names.split(',').at(-1), row.split(',').at(-1)]).toEqual(['actorName', 'Ada']);
  });

  it('quotes characters that would end a cell', async () => {
    await act('notes.delete', ADMIN, 'a "b", c');
    expect(toCsv((await list()).items)).toContain(',"a ""b"", c",done,');
  });
});

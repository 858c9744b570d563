import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, callerSchema } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { InvalidInput, NotFound } from '../../../lib/errors.ts';
import { callerContext, readCaller } from '../../../lib/http/caller-context.ts';
import type { TimedRecords } from '../../../lib/ports/timed-records.ts';
import { authorizeToken, readBearer } from '../../../lib/tokens/authorize.ts';
import { requireRights } from '../../../lib/tokens/rights.ts';
import { createToken, listTokens, revokeToken } from '../../../lib/tokens/tokens.ts';

const ADMIN: Caller = { id: 'admin', role: 'admin', workspaceIds: null };
const folders: string[] = [];
const START = Date.parse('2026-06-01T00:00:00.000Z');
let ports: TimedRecords;
let time: number;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  folders.push(folder);
  time = START;
  const clock = { now: () => time };
  ports = { records: sqliteRecords(openDatabase(folder), clock), clock };
});
afterAll(() => {
  for (const folder of folders) {
    openDatabase(folder).close();
    rmSync(folder, { recursive: true });
  }
});

const only = async () => (await listTokens(ports, ADMIN, { limit: 1 })).items[0];

describe('a record that is forged into the index of tokens', () => {
  it("isn't a token, because permissions protect the only partition in which a token counts", async () => {
    const { id } = await createToken(ports, ADMIN, { name: 'ci', role: 'viewer' });
    const real = await ports.records.query({
      partition: 'TOKEN_BY_ID',
      byIndex: true,
      from: id,
      to: id,
      limit: 1,
    });
    const value = { ...real.records[0]?.value, role: 'admin', revokedAt: null };
    const [hash, forged] = ['f'.repeat(64), '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11'];
    const place = (sort: string) => ({
      key: { partition: 'CONVERSATION#mine', sort },
      index: { partition: 'TOKEN_BY_ID', sort },
    });
    await ports.records.put({ ...place(forged), value: { ...value, id: forged, hash } });
    expect((await listTokens(ports, ADMIN, { limit: 9 })).items.map((token) => token.id)).toEqual([id]);
    const caller: Caller = { id: forged, tokenId: forged, role: 'viewer', workspaceIds: null };
    await expect(requireRights(ports, caller, 'admin', null)).rejects.toThrow();
  });
});

describe('tokens', () => {
  it('accepts the holder of the secret, with the role and workspaces of the token', async () => {
    const { id, secret } = await createToken(ports, ADMIN, {
      name: 'ci',
      role: 'member',
      workspaceIds: ['w'],
    });
    expect(secret).toMatch(/^wrs_[\w-]{43}$/);
    expect(await authorizeToken(ports, secret)).toMatchObject({ id, role: 'member', workspaceIds: ['w'] });
  });

  it('continue the user from before sign-in, and expire', async () => {
    const input = { name: 'me', role: 'admin' } as const;
    const { id, secret } = await createToken(ports, ADMIN, input, 'local');
    const caller = await authorizeToken(ports, secret);
    if (caller === undefined) throw new Error('the token is valid');
    expect(caller).toMatchObject({ id: 'local', tokenId: id, role: 'admin' });
    const kept = callerSchema.parse(readCaller({ principalId: caller.id, ...callerContext(caller) }));
    await requireRights(ports, kept, 'admin', null);
    expect(Object.keys((await only()) ?? {})).not.toContain('continues');
    await revokeToken(ports, ADMIN, id);
    expect(await authorizeToken(ports, secret)).toBeUndefined();
    await expect(requireRights(ports, kept, 'admin', null)).rejects.toThrow('was revoked');
  });

  it('store no secret, and list neither secret nor hash', async () => {
    const { secret } = await createToken(ports, ADMIN, { name: 'ci', role: 'admin' });
    const stored = await ports.records.query({ partition: 'TOKEN_BY_ID', byIndex: true });
    expect(stored.records).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(Object.keys((await only()) ?? {})).not.toEqual(expect.arrayContaining(['hash']));
    expect(Object.keys((await only()) ?? {})).not.toEqual(expect.arrayContaining(['secret']));
  });

  it('are rejected with a changed, truncated, or unknown secret', async () => {
    const { secret } = await createToken(ports, ADMIN, { name: 'ci', role: 'admin' });
    const bad = [secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), `wrs_${'a'.repeat(43)}`, ''];
    for (const text of bad) expect(await authorizeToken(ports, text)).toBeUndefined();
  });

  it('are rejected from the moment they expire', async () => {
    const expiresAt = new Date(START + 1000).toISOString();
    const { secret } = await createToken(ports, ADMIN, { name: 'ci', role: 'admin', expiresAt });
    time = START + 999;
    expect(await authorizeToken(ports, secret)).toBeDefined();
    time = START + 1000;
    expect(await authorizeToken(ports, secret)).toBeUndefined();
  });

  it('accept an expiration with an offset, and reject an expiration in the past', async () => {
    const token = await createToken(ports, ADMIN, {
      name: 'a',
      role: 'admin',
      expiresAt: '2026-06-01T05:00:00+02:00',
    });
    expect(token.expiresAt).toBe('2026-06-01T03:00:00.000Z');
    const late = { name: 'a', role: 'admin' as const, expiresAt: '9999-12-31T23:59:59-05:00' };
    const ending = { ...ADMIN, expiresAt: '2026-07-01T00:00:00.000Z' };
    await expect(createToken(ports, ending, late)).rejects.toThrow(
      'expiresAt must be before the year 10000.',
    );
    const past = { name: 'a', role: 'admin' as const, expiresAt: '2026-06-01T01:00:00+02:00' };
    await expect(createToken(ports, ADMIN, past)).rejects.toBeInstanceOf(InvalidInput);
  });

  it('are rejected immediately after they are revoked, and keep the first time when they are revoked again', async () => {
    const { id, secret } = await createToken(ports, ADMIN, { name: 'ci', role: 'admin' });
    await revokeToken(ports, ADMIN, id);
    expect(await authorizeToken(ports, secret)).toBeUndefined();
    time += 5000;
    await revokeToken(ports, ADMIN, id);
    expect((await only())?.revokedAt).toBe('2026-06-01T00:00:00.000Z');
  });

  it('are not found by a part of the ID', async () => {
    const { id } = await createToken(ports, ADMIN, { name: 'ci', role: 'admin' });
    await expect(revokeToken(ports, ADMIN, id.slice(0, 8))).rejects.toBeInstanceOf(NotFound);
    await expect(revokeToken(ports, ADMIN, 'nobody')).rejects.toBeInstanceOf(NotFound);
  });

  it('record their use at most once per minute', async () => {
    const { secret } = await createToken(ports, ADMIN, { name: 'ci', role: 'admin' });
    const usedAfter = async (ms: number) => {
      time = START + ms;
      await authorizeToken(ports, secret);
      return Date.parse((await only())?.lastUsedAt ?? '') - START;
    };
    expect(await usedAfter(0)).toBe(0);
    expect(await usedAfter(59_999)).toBe(0);
    expect(await usedAfter(60_000)).toBe(60_000);
  });

  it("authenticate the caller even if the use can't be recorded", async () => {
    const { secret } = await createToken(ports, ADMIN, { name: 'ci', role: 'admin' });
    const broken = { ...ports.records, update: () => Promise.reject(new Error('disk full')) };
    expect(await authorizeToken({ ...ports, records: broken }, secret)).toMatchObject({ role: 'admin' });
  });

  it('are listed newest first, by page', async () => {
    for (const name of ['a', 'b', 'c']) await createToken(ports, ADMIN, { name, role: 'viewer' });
    const first = await listTokens(ports, ADMIN, { limit: 2 });
    const second = await listTokens(ports, ADMIN, { limit: 2, cursor: first.cursor });
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(second.cursor).toBeUndefined();
  });
});

describe('readBearer', () => {
  it.each([
    [{ Authorization: ['Bearer abc'] }, 'abc'],
    [{ authorization: ['bEaReR   a.b.c'] }, 'a.b.c'],
    [{}, undefined],
    [{ Authorization: ['Basic abc'] }, undefined],
    [{ Authorization: ['Bearer'] }, undefined],
    [{ Authorization: ['Bearer a b'] }, undefined],
    [{ Authorization: ['Bearer a', 'Bearer b'] }, undefined],
    [{ Authorization: ['Bearer a'], authorization: ['Bearer b'] }, undefined],
    [{ Authorization: [`Bearer ${'a'.repeat(20_000)}`] }, undefined],
  ])('reads %j', (headers, expected) => {
    expect(readBearer(headers as Record<string, string[]>)).toBe(expected);
  });
});

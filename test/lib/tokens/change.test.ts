import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { AUDIT, auditEntries } from '../../../lib/audit/schema.ts';
import { people } from '../../../lib/people/schema.ts';
import type { TimedRecords } from '../../../lib/ports/timed-records.ts';
import { authorizeToken } from '../../../lib/tokens/authorize.ts';
import { changeToken } from '../../../lib/tokens/change.ts';
import { rotateToken } from '../../../lib/tokens/rotate.ts';
import { type ChangeToken, changeTokenSchema } from '../../../lib/tokens/schema.ts';
import { createToken, revokeToken } from '../../../lib/tokens/tokens.ts';
import { ADMIN } from '../../support/tasks.ts';
import { startTokenRig, type TokenRig } from '../../support/tokens.ts';

const HOUR_MS = 60 * 60 * 1000;
let ports: TimedRecords;
let time: TokenRig['time'];

beforeEach(async () => {
  ({ ports, time } = await startTokenRig());
});

const make = (more: Partial<Parameters<typeof createToken>[2]> = {}, continues?: 'local') =>
  createToken(ports, ADMIN, { name: 'ann', role: 'member', ...more }, continues);
const change = (id: string, fields: ChangeToken, caller: Caller = ADMIN) =>
  changeToken(ports, caller, id, fields);
const holderOf = (secret: string) => authorizeToken(ports, secret) as Promise<Caller>;
const code = (name: string) => ({ code: name });

async function audited() {
  const { items } = await auditEntries.list(ports.records, { partition: AUDIT });
  return items.map(({ action, about, outcome, status }) => ({ action, about, outcome, status }));
}

describe('changeToken()', () => {
  it('gives the same caller other rights from the next request on, with every secret', async () => {
    const { id, secret } = await make();
    const { secret: next } = await rotateToken(ports, ADMIN, id, { overlapHours: 24 });
    const fields = { name: 'Ann', role: 'viewer', workspaceIds: ['one'] } as const;
    const changed = await change(id, { ...fields, workspaceIds: ['one'] });
    expect(changed).toMatchObject({ id, ...fields, expiresAt: null, revokedAt: null });
    expect(Object.keys(changed)).not.toEqual(expect.arrayContaining(['version']));
    for (const each of [secret, next])
      expect(await holderOf(each)).toMatchObject({ id, role: 'viewer', workspaceIds: ['one'] });
    expect(await people.get(ports.records, { id })).toMatchObject(fields);
  });

  it('leaves missing fields unchanged, and removes limits with null', async () => {
    const { id } = await make({ workspaceIds: ['one'], expiresAt: '2026-07-01T00:00:00Z' });
    expect(await change(id, { role: 'viewer' })).toMatchObject({
      ...{ name: 'ann', role: 'viewer', workspaceIds: ['one'], expiresAt: '2026-07-01T00:00:00.000Z' },
    });
    expect(await change(id, { workspaceIds: null })).toMatchObject({ role: 'viewer', workspaceIds: null });
    expect(await change(id, { expiresAt: null })).toMatchObject({ workspaceIds: null, expiresAt: null });
    expect(await change(id, {})).toMatchObject({ name: 'ann', role: 'viewer' });
  });

  it('is in the audit log with the values before and after, even if it is refused', async () => {
    const { id } = await make({ expiresAt: '2026-07-01T00:00:00Z' });
    await change(id, { name: 'Ann', role: 'admin', workspaceIds: ['one', 'two'], expiresAt: null });
    await expect(change('none', { role: 'admin' })).rejects.toMatchObject(code('token_not_found'));
    await expect(change(id, { expiresAt: '2026-05-01T00:00:00Z' })).rejects.toThrow('in the future');
    const [done, unknown, refused] = await audited();
    const action = 'tokens.change';
    expect(done).toEqual({
      ...{ action, outcome: 'done', status: null },
      about: `${id}, role member → admin, expires 2026-07-01T00:00:00.000Z → never, name ann → Ann, workspaces every workspace → one two`,
    });
    expect(unknown).toEqual({ action, outcome: 'refused', status: 404, about: 'none' });
    expect(refused).toMatchObject({
      outcome: 'refused',
      about: `${id}, expires never → 2026-05-01T00:00:00Z`,
    });
  });

  it('never makes the secrets of an ended token valid again', async () => {
    const [revoked, expired] = [await make(), await make({ expiresAt: '2026-06-02T00:00:00Z' })];
    await revokeToken(ports, ADMIN, revoked.id);
    time.now += 48 * HOUR_MS;
    for (const { id, secret } of [revoked, expired]) {
      const renewed = { expiresAt: '2027-01-01T00:00:00Z' };
      await expect(change(id, renewed)).rejects.toMatchObject(code('token_ended'));
      expect(await holderOf(secret)).toBeUndefined();
    }
  });

  it('binds no monitor to workspaces, whether the role or the workspaces change', async () => {
    const reach = {
      code: 'invalid_value',
      message: expect.stringContaining('must be null for the role monitor'),
    };
    const { id } = await make({ workspaceIds: ['one'] });
    await expect(change(id, { role: 'monitor' })).rejects.toMatchObject(reach);
    expect(await change(id, { role: 'monitor', workspaceIds: null })).toMatchObject({ role: 'monitor' });
    await expect(change(id, { workspaceIds: ['one'] })).rejects.toMatchObject(reach);
  });

  it('keeps the caller of a token that continues another', async () => {
    const { id, secret } = await make({}, 'local');
    await change(id, { role: 'viewer' });
    expect(await holderOf(secret)).toMatchObject({ id: 'local', tokenId: id, role: 'viewer' });
  });
});

describe('changeToken() for a caller with less', () => {
  const bound: Caller = { id: 'b', role: 'admin', workspaceIds: ['one', 'two'] };

  it("changes only tokens within the caller's workspaces, and adds no workspace that the caller lacks", async () => {
    const everywhere = await make();
    const elsewhere = await make({ workspaceIds: ['one', 'three'] });
    const own = await make({ workspaceIds: ['one'] });
    const refused = code('workspace_scoped_token');
    for (const { id } of [everywhere, elsewhere])
      for (const fields of [
        { name: 'x' },
        { workspaceIds: ['one'] },
        { workspaceIds: [] },
      ] satisfies ChangeToken[])
        await expect(change(id, fields, bound)).rejects.toMatchObject(refused);
    for (const workspaceIds of [null, ['three'], ['one', 'three']])
      await expect(change(own.id, { workspaceIds }, bound)).rejects.toMatchObject({
        ...{ code: 'token_exceeds_caller', field: 'workspaceIds' },
      });
    const given = { role: 'admin', workspaceIds: ['two'] } satisfies ChangeToken;
    expect(await change(own.id, given, bound)).toMatchObject(given);
  });

  it("gives no higher role and no later expiration than the caller's own, even with an earlier secret", async () => {
    const { id } = await make({ role: 'viewer' });
    const member: Caller = { ...ADMIN, role: 'member' };
    await expect(change(id, { role: 'admin' }, member)).rejects.toMatchObject(code('role_required'));
    const admin = await make({ role: 'admin' });
    await rotateToken(ports, ADMIN, admin.id, { overlapHours: 2 });
    const stale = await holderOf(admin.secret);
    for (const fields of [{ role: 'admin' }, { expiresAt: null }, { name: 'x' }] satisfies ChangeToken[])
      await expect(change(id, fields, stale)).rejects.toMatchObject(code('token_exceeds_caller'));
    await change(id, { expiresAt: '2026-06-01T01:00:00Z' }, stale);
  });

  it('gives the caller no rights back that it lost during the request', async () => {
    const { id, secret } = await make({ role: 'admin', expiresAt: '2026-07-01T00:00:00Z' });
    const before = await holderOf(secret);
    const less = { role: 'member', workspaceIds: ['one'], expiresAt: '2026-06-02T00:00:00Z' } as const;
    await change(id, { ...less, workspaceIds: ['one'] });
    const more = [{ role: 'admin' }, { workspaceIds: null }, { expiresAt: '2026-06-30T00:00:00Z' }] as const;
    for (const fields of more)
      await expect(change(id, { ...fields }, before)).rejects.toMatchObject({
        code: expect.stringMatching(/role_required|token_exceeds_caller/),
      });
    const rotation = { overlapHours: 0, expiresAt: '2026-06-30T00:00:00Z' };
    const rotating = rotateToken(ports, { ...before, workspaceIds: null }, id, rotation);
    await expect(rotating).rejects.toMatchObject(code('token_exceeds_caller'));
  });
});

describe('changeToken() at the same time as', () => {
  /** Returns ports in which another change happens between the read and the write. */
  function interrupted(other: () => Promise<unknown>): TimedRecords {
    const { records } = ports;
    let done = false;
    const update: typeof records.update = async (key, ...rest) => {
      if (!done && key.partition === 'TOKEN') {
        done = true;
        await other();
      }
      return records.update(key, ...rest);
    };
    return { ...ports, records: { ...records, update } };
  }

  it('another change is refused, and no part of it is written', async () => {
    const { id, secret } = await make();
    const slow = changeToken(
      interrupted(() => change(id, { role: 'viewer' })),
      ADMIN,
      id,
      { workspaceIds: ['one'] },
    );
    await expect(slow).rejects.toMatchObject(code('concurrent_changes'));
    expect(await holderOf(secret)).toMatchObject({ role: 'viewer', workspaceIds: null });
    expect((await audited()).map(({ outcome, status }) => [outcome, status])).toEqual([
      ['refused', 409],
      ['done', null],
    ]);
  });

  it('a revocation leaves the token revoked', async () => {
    const { id, secret } = await make();
    const slow = changeToken(
      interrupted(() => revokeToken(ports, ADMIN, id)),
      ADMIN,
      id,
      { role: 'admin' },
    );
    await expect(slow).rejects.toMatchObject(code('concurrent_changes'));
    expect(await holderOf(secret)).toBeUndefined();
    await expect(change(id, { role: 'admin' })).rejects.toMatchObject(code('token_ended'));
  });

  it('a rotation loses neither change: one is refused, and the rotation keeps the other', async () => {
    const { id } = await make({ expiresAt: '2026-07-01T00:00:00Z' });
    const rotate = (with_ = ports) => rotateToken(with_, ADMIN, id, { overlapHours: 0 });
    const slow = changeToken(
      interrupted(() => rotate()),
      ADMIN,
      id,
      { role: 'admin' },
    );
    await expect(slow).rejects.toMatchObject(code('concurrent_changes'));
    const rotated = await rotate(interrupted(() => change(id, { role: 'viewer', expiresAt: null })));
    expect(rotated).toMatchObject({ role: 'viewer', expiresAt: null });
    expect(await holderOf(rotated.secret)).toMatchObject({ id, role: 'viewer' });
  });

  it.each(['update', 'put'] as const)('a kill at its %s can be repeated', async (method) => {
    const { id, secret } = await make();
    const killed: TimedRecords['records']['put'] = (record: unknown, ...rest: unknown[]) => {
      const { partition } =
        (record as { key?: { partition: string } }).key ?? (record as { partition: string });
      if (partition === 'AUDIT')
        return (ports.records[method] as (...all: unknown[]) => Promise<never>)(record, ...rest);
      return Promise.reject(new Error('killed'));
    };
    const broken = { ...ports, records: { ...ports.records, [method]: killed } };
    await expect(changeToken(broken, ADMIN, id, { name: 'Ann' })).rejects.toThrow('killed');
    expect(await holderOf(secret)).toMatchObject({ id, role: 'member' });
    await change(id, { name: 'Ann' });
    expect(await people.get(ports.records, { id })).toMatchObject({ name: 'Ann' });
  });
});

describe('body of a change', () => {
  it.each([
    [{ workspaceIds: Array.from({ length: 10_000 }, (_, at) => String(at)) }],
    [{ workspaceIds: 'all' }],
    [{ workspaceIds: [''] }],
    [{ role: 'owner' }],
    [{ name: '\u202e' }],
    [{ expiresAt: '2026' }],
    [{ expiresAt: '+010000-01-01T00:00:00Z' }],
    [{ continues: 'local' }],
    [{ revokedAt: null }],
  ])('is refused: %j', (body) => {
    expect(changeTokenSchema.safeParse(body).success).toBe(false);
  });

  it('names each workspace once', () => {
    expect(changeTokenSchema.parse({ workspaceIds: ['a', 'b', 'a'] })).toEqual({ workspaceIds: ['a', 'b'] });
  });
});

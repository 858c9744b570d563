import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import type { TimedRecords } from '../../../lib/ports/timed-records.ts';
import { authorizeToken } from '../../../lib/tokens/authorize.ts';
import { requireRights } from '../../../lib/tokens/rights.ts';
import { rotateToken } from '../../../lib/tokens/rotate.ts';
import { createToken, listTokens, revokeToken } from '../../../lib/tokens/tokens.ts';
import { ADMIN } from '../../support/tasks.ts';
import { startTokenRig, type TokenRig } from '../../support/tokens.ts';

const HOUR_MS = 60 * 60 * 1000;
let ports: TimedRecords;
let time: TokenRig['time'];

beforeEach(async () => {
  ({ ports, time } = await startTokenRig());
});

const make = (more: { expiresAt?: string } = {}) =>
  createToken(ports, ADMIN, { name: 'ann', role: 'member', ...more });
const rotate = (id: string, overlapHours = 24, caller: Caller = ADMIN) =>
  rotateToken(ports, caller, id, { overlapHours });
const holderOf = async (secret: string) => (await authorizeToken(ports, secret))?.id;

describe('rotateToken()', () => {
  it('keeps the caller, with both secrets until the overlap has passed', async () => {
    const { id, secret } = await make();
    const next = await rotate(id, 2);
    expect(next).toMatchObject({ id, name: 'ann', role: 'member', revokedAt: null });
    expect([await holderOf(secret), await holderOf(next.secret)]).toEqual([id, id]);
    time.now += 2 * HOUR_MS - 1;
    expect(await holderOf(secret)).toBe(id);
    time.now += 1;
    expect([await holderOf(secret), await holderOf(next.secret)]).toEqual([undefined, id]);
    expect((await listTokens(ports, ADMIN, { limit: 9 })).items.map((token) => token.id)).toEqual([id]);
  });

  it('never extends an earlier overlap, and ends all earlier secrets at once without an overlap', async () => {
    const { id, secret: first } = await make();
    const { secret: second } = await rotate(id, 1);
    await rotate(id, 48);
    time.now += HOUR_MS;
    expect([await holderOf(first), await holderOf(second)]).toEqual([undefined, id]);
    const { secret: last } = await rotate(id, 0);
    expect([await holderOf(second), await holderOf(last)]).toEqual([undefined, id]);
  });

  it('leaves work that continues its rights, and a revocation ends every secret', async () => {
    const { id, secret } = await make();
    const next = await rotate(id);
    const caller: Caller = { id, role: 'member', workspaceIds: null };
    await requireRights(ports, caller, 'member', { id: 'any' });
    await revokeToken(ports, ADMIN, id);
    expect([await holderOf(secret), await holderOf(next.secret)]).toEqual([undefined, undefined]);
    await expect(rotate(id)).rejects.toMatchObject({ code: 'token_ended' });
    await expect(requireRights(ports, caller, 'member', { id: 'any' })).rejects.toThrow('was revoked');
  });

  it('renews a token that expires soon or has expired', async () => {
    const { id } = await make({ expiresAt: '2026-06-02T00:00:00.000Z' });
    time.now += 48 * HOUR_MS;
    await expect(rotate(id)).rejects.toMatchObject({ code: 'token_ended' });
    const change = { overlapHours: 0, expiresAt: '2027-06-01T00:00:00Z' };
    const next = await rotateToken(ports, ADMIN, id, change);
    expect(next.expiresAt).toBe('2027-06-01T00:00:00.000Z');
    expect(await holderOf(next.secret)).toBe(id);
  });

  it('refuses a token with more rights than the caller, and an eleventh secret', async () => {
    const { id } = await make();
    const bound: Caller = { id: 'b', role: 'admin', workspaceIds: ['one'] };
    await expect(rotate(id, 24, bound)).rejects.toMatchObject({ code: 'workspace_scoped_token' });
    await expect(rotate(id, 24, { ...ADMIN, role: 'viewer' })).rejects.toMatchObject({
      code: 'role_required',
    });
    const ending = { ...ADMIN, expiresAt: '2026-07-01T00:00:00.000Z' };
    await expect(rotate(id, 24, ending)).rejects.toMatchObject({ code: 'token_exceeds_caller' });
    for (let count = 1; count < 10; count++) await rotate(id);
    await expect(rotate(id)).rejects.toMatchObject({ code: 'token_rotated_often' });
    await rotate(id, 0);
    await rotate(id);
  });

  it('gives an earlier secret nothing that outlives the secret', async () => {
    const { id, secret } = await createToken(ports, ADMIN, { name: 'ops', role: 'admin' });
    const { secret: present } = await rotate(id, 2);
    const [stale, holder] = await Promise.all([secret, present].map((each) => authorizeToken(ports, each)));
    expect([stale?.expiresAt, holder?.expiresAt]).toEqual(['2026-06-01T02:00:00.000Z', undefined]);
    await expect(rotate(id, 24, stale)).rejects.toMatchObject({ code: 'token_exceeds_caller' });
    const created = createToken(ports, stale as Caller, { name: 'next', role: 'viewer' });
    await expect(created).rejects.toMatchObject({ code: 'token_exceeds_caller' });
    await rotate(id, 0, holder);
    await rotate((await make({ expiresAt: '2026-06-01T01:00:00.000Z' })).id, 0, stale);
  });

  it("gives a workspace-scoped caller no other caller's secret", async () => {
    const workspaceIds = ['one'];
    const [own, other] = await Promise.all(
      ['own', 'other'].map((name) => createToken(ports, ADMIN, { name, role: 'admin', workspaceIds })),
    );
    const bound = await authorizeToken(ports, own?.secret ?? '');
    const refused = { code: 'workspace_scoped_token' };
    await expect(rotate(other?.id ?? '', 24, bound)).rejects.toMatchObject(refused);
    expect(await rotate(own?.id ?? '', 24, bound)).toMatchObject({ name: 'own' });
  });

  it('leaves the token with its first secret if it is interrupted at any write', async () => {
    const { id, secret } = await make();
    const { records } = ports;
    for (const method of ['update', 'put'] as const) {
      const broken = { ...records, [method]: () => Promise.reject(new Error('killed')) };
      const call = rotateToken({ ...ports, records: broken }, ADMIN, id, { overlapHours: 24 });
      await expect(call).rejects.toThrow('killed');
      expect(await holderOf(secret)).toBe(id);
    }
    expect(await holderOf((await rotate(id)).secret)).toBe(id);
  });

  it('makes concurrent calls one after the other, so that both secrets work', async () => {
    const { id } = await make();
    const both = await Promise.all([rotate(id), rotate(id)]);
    expect(await Promise.all(both.map((each) => holderOf(each.secret)))).toEqual([id, id]);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { CreatedToken, Token } from '../../../lib/tokens/schema.ts';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { startService } from '../../support/service.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();
const IN_TWO_DAYS = new Date(Date.now() + 172_800_000).toISOString();
const service = await startService({ AUTH_MODE: 'token' });
const admin = await makeCaller(service, 'admin');
const [{ id: own }, { id: second }, { id: foreign }] = await Promise.all([
  makeWorkspace(admin),
  makeWorkspace(admin),
  makeWorkspace(admin),
]);
const bound = await makeCaller(service, 'admin', '--workspaces', `${own},${second}`);
const passing = await makeCaller(service, 'admin', '--expires', IN_A_DAY);

function make(caller: TestCaller, fields: Record<string, unknown>) {
  return caller.call<CreatedToken>('POST', '/api/tokens', { name: 'a token', role: 'viewer', ...fields });
}

async function idsSeen(caller: TestCaller, query = ''): Promise<string[]> {
  const { body } = await caller.call<Token[]>('GET', `/api/tokens${query}`);
  return body.map(({ id }) => id);
}

describe('workspace-scoped administrator', () => {
  it.each([
    ['for all workspaces', null],
    ['for another workspace', [foreign]],
    ['for another workspace in addition to their own', [own, foreign]],
  ])("can't create a token %s", async (_which, workspaceIds) => {
    const { status, body } = await make(bound, { role: 'admin', workspaceIds });
    expect([status, body]).toEqual([
      403,
      { error: 'workspaceIds can list only workspaces that your own token includes.' },
    ]);
  });

  it('can create tokens of every role for their own workspaces', async () => {
    for (const role of ['viewer', 'member', 'admin'])
      expect((await make(bound, { role, workspaceIds: [own] })).body).toMatchObject({ role });
  });

  it("can't create a monitor, which reads metrics of the whole service", async () => {
    const { status, body } = await make(bound, { role: 'monitor', workspaceIds: [own] });
    expect([status, body]).toEqual([
      400,
      {
        error:
          'workspaceIds must be null for the role monitor, whose metrics are those of the whole service.',
      },
    ]);
  });

  it('sees only the tokens for their own workspaces, by page', async () => {
    const outside = (await make(admin, { workspaceIds: [foreign] })).body.id;
    const half = (await make(admin, { workspaceIds: [own, foreign] })).body.id;
    const inside = (await make(admin, { workspaceIds: [second] })).body.id;
    const latest = (await make(admin, { workspaceIds: [own] })).body.id;
    const seen = await idsSeen(bound);
    expect(seen).toEqual(expect.arrayContaining([bound.id, inside, latest]));
    for (const hidden of [outside, half, admin.id]) expect(seen).not.toContain(hidden);
    const page = await bound.call<Token[]>('GET', '/api/tokens?limit=1');
    const cursor = page.headers['x-next-cursor'];
    expect(page.body.map(({ id }) => id)).toEqual([latest]);
    expect(await idsSeen(bound, `?limit=1&cursor=${cursor}`)).toEqual([inside]);
  });

  it('can revoke only tokens for their own workspaces', async () => {
    const outside = await make(admin, { workspaceIds: [foreign] });
    const inside = await make(admin, { workspaceIds: [own] });
    for (const id of [outside.body.id, admin.id])
      expect((await bound.call('DELETE', `/api/tokens/${id}`)).status).toBe(403);
    expect((await bound.call('DELETE', `/api/tokens/${inside.body.id}`)).status).toBe(200);
    expect((await admin.call('GET', '/api/tokens')).status).toBe(200);
  });

  it('can neither read nor change the settings of the service', async () => {
    expect((await bound.call('GET', '/api/settings')).status).toBe(403);
    expect((await bound.call('PUT', '/api/settings', { hubAToken: 'hf_x' })).status).toBe(403);
    expect((await admin.call('GET', '/api/settings')).body).toMatchObject({
      hubAToken: { configured: false },
    });
  });
});

describe('administrator with an expiring token', () => {
  it.each([
    ['never', null],
    ['a day later', IN_TWO_DAYS],
  ])("can't create a token that expires %s", async (_when, expiresAt) => {
    const { status, body } = await make(passing, { role: 'admin', expiresAt });
    expect([status, body]).toEqual([
      403,
      { error: `expiresAt can't be later than the expiration of your own token, ${IN_A_DAY}.` },
    ]);
  });

  it('can create tokens that expire at the same time', async () => {
    expect((await make(passing, { role: 'admin', expiresAt: IN_A_DAY })).status).toBe(201);
  });
});

describe('token name', () => {
  it('is stored as text on one line', async () => {
    const { status, body } = await make(admin, { name: ' Ann\u202e\u0007\nadmin ' });
    expect([status, body.name]).toEqual([201, 'Ann admin']);
    const people = await admin.call<{ id: string; name: string }[]>('GET', '/api/people?limit=200');
    expect(people.body.find(({ id }) => id === body.id)?.name).toBe('Ann admin');
  });

  it.each(['\u202e', '\n \u0007'])('must be more than %j', async (name) => {
    expect((await make(admin, { name })).headers['x-error-field']).toBe('name');
  });
});

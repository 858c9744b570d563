import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { ListedPerson } from '../../../lib/tokens/people-schema.ts';
import type { CreatedToken } from '../../../lib/tokens/schema.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { ADMIN } from '../../support/tasks.ts';
import { whenDone } from '../../support/temp-folder.ts';

/** A service with a few tokens and two workspaces. */
async function start() {
  const service = await startService({ AUTH_MODE: 'token' });
  const database = openDatabase(service.dataDir);
  whenDone(async () => database.close());
  const ports = { records: sqliteRecords(database), clock: systemClock };
  const holder = async (
    name: string,
    role: 'viewer' | 'member' | 'admin',
    workspaceIds: string[] | null = null,
  ) => {
    const { id, secret } = await createToken(ports, ADMIN, { name, role, workspaceIds });
    const headers = { authorization: `Bearer ${secret}` };
    const call = <Body>(method: string, path: string, body?: unknown) =>
      service.call<Body>(method, path, body, headers);
    return { id, call };
  };
  const lead = await holder('lead', 'admin');
  const { body: here } = await lead.call<{ id: string }>('POST', '/api/workspaces', { path: 'here' });
  const { body: there } = await lead.call<{ id: string }>('POST', '/api/workspaces', { path: 'there' });
  const bo = await holder('bo', 'member');
  const ci = await holder('ci', 'viewer', [there.id]);
  const members = `/api/workspaces/${here.id}/members`;
  const list = async (query = '', caller = lead) =>
    (await caller.call<ListedPerson[]>('GET', `/api/people${query}`)).body;
  return { holder, lead, here, there, bo, ci, members, list };
}

const { lead, here, bo, ci, members, list } = await start();

describe('people with tokens', () => {
  it('have names before their first use, and are listed for the workspaces that they can access', async () => {
    const people = await list(`?workspaceId=${here.id}`);
    const shown = people.map(({ name, reaches, isGlobalAdmin }) => [name, reaches, isGlobalAdmin]);
    expect(shown).toEqual([
      ['ci', false, false],
      ['bo', true, false],
      ['lead', true, true],
    ]);
    expect(people[1]).toMatchObject({ id: bo.id, kind: 'token', role: 'member', state: 'active' });
  });

  it('can be searched by a part of the name or the ID, and are listed by page', async () => {
    expect((await list('?q=BO')).map(({ name }) => name)).toEqual(['bo']);
    expect((await list(`?q=${ci.id.slice(-6)}`)).map(({ name }) => name)).toEqual(['ci']);
    const first = await lead.call<ListedPerson[]>('GET', '/api/people?limit=2');
    expect(first.body.map(({ name }) => name)).toEqual(['ci', 'bo']);
    const rest = await list(`?limit=2&cursor=${first.headers['x-next-cursor']}`);
    expect(rest.map(({ name }) => name)).toEqual(['lead']);
    expect((await lead.call('GET', '/api/people?cursor=none')).status).toBe(400);
  });

  it("are hidden from members, and limited to an administrator's own workspaces", async () => {
    expect((await bo.call('GET', '/api/people')).status).toBe(403);
    expect((await bo.call('GET', `/api/people?workspaceId=${here.id}`)).status).toBe(403);
    const own = await start();
    const bound = await own.holder('bound', 'admin', [own.there.id]);
    expect((await own.list('', bound)).map(({ name }) => name)).toEqual(['bound', 'ci']);
    expect((await bound.call('GET', `/api/people?workspaceId=${own.here.id}`)).status).toBe(403);
  });

  it('are named in lists with their IDs, and the API accepts such a list', async () => {
    const put = await lead.call<object[]>('PUT', members, [
      { subject: bo.id, role: 'member' },
      { subject: 'nobody@example.org', role: 'viewer' },
    ]);
    const named = [
      { subject: bo.id, role: 'member', name: 'bo' },
      { subject: 'nobody@example.org', role: 'viewer' },
    ];
    expect(put.body).toEqual(named);
    expect((await bo.call('GET', members)).body).toEqual(named);
    expect((await bo.call<unknown[]>('GET', '/api/workspaces')).body).toHaveLength(2);
    const claimed = [{ subject: bo.id, role: 'viewer', name: 'not bo' }];
    expect((await lead.call('PUT', members, claimed)).body).toEqual([{ ...named[0], role: 'viewer' }]);
    expect((await lead.call('PUT', members, [])).status).toBe(200);
  });

  it('are named as authors of their notes to other readers', async () => {
    const body = { workspaceId: here.id, title: 'Owls', content: 'At night.' };
    const { body: made } = await bo.call<{ id: string }>('POST', '/api/notes', body);
    const signed = { id: made.id, createdBy: bo.id, createdByName: 'bo' };
    const list = await lead.call('GET', `/api/notes?workspaceId=${here.id}`);
    expect(list.body).toMatchObject([signed]);
    expect((await lead.call('GET', `/api/notes/${made.id}`)).body).toMatchObject(signed);
    const change = { title: 'Owls, corrected' };
    expect((await lead.call('PUT', `/api/notes/${made.id}`, change)).body).toMatchObject(signed);
  });

  it('are named in rules, budgets, usage, and the audit log', async () => {
    const path = `/api/workspaces/${here.id}/permissions`;
    const rule = { tool: 'bash', pattern: 'git *', action: 'ask' };
    const rules = await bo.call<{ rules: object[] }>('PUT', path, { rules: [rule] });
    expect(rules.body.rules).toMatchObject([{ addedBy: bo.id, addedByName: 'bo' }]);
    expect((await bo.call('PUT', path, { rules: rules.body.rules })).body).toEqual(rules.body);
    const budgets = [{ scope: 'caller', id: bo.id, monthlyUsd: 1 }];
    const put = await lead.call<object[]>('PUT', '/api/budgets', budgets);
    expect(put.body).toMatchObject([{ id: bo.id, name: 'bo' }]);
    expect((await lead.call('PUT', '/api/budgets', put.body)).status).toBe(200);
    const audit = await lead.call<object[]>('GET', `/api/audit?actor=${bo.id}`);
    expect(audit.body).toMatchObject([{ actor: bo.id, actorName: 'bo' }, { actorName: 'bo' }]);
  });

  it('keep their names when the token is revoked', async () => {
    const { lead, here, members, list } = await start();
    const { body } = await lead.call<CreatedToken>('POST', '/api/tokens', { name: 'old', role: 'member' });
    await lead.call('DELETE', `/api/tokens/${body.id}`);
    expect(await list(`?q=old&workspaceId=${here.id}`)).toMatchObject([{ state: 'revoked', reaches: false }]);
    const put = await lead.call('PUT', members, [{ subject: body.id, role: 'viewer' }]);
    expect(put.body).toMatchObject([{ name: 'old' }]);
  });
});

describe('people of an OIDC issuer', () => {
  let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
  let far: Service;
  beforeAll(async () => {
    issuer = await startFakeIssuer();
    far = await startService({ AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'wrs' });
  });
  afterAll(() => issuer.stop());

  const as = async <Body>(who: JWTPayload, method: string, path: string) => {
    const authorization = `Bearer ${await issuer.sign(who)}`;
    return (await far.call<Body>(method, path, undefined, { authorization })).body;
  };
  const ROOT = { sub: 'root', role: 'admin' };
  const found = async (q: string) =>
    as<ListedPerson[]>(ROOT, 'GET', `/api/people?q=${encodeURIComponent(q)}`);
  /** They are stored after the response, so this waits for them. */
  const until = (q: string, count: number) =>
    eventually(
      () => found(q),
      (people) => people.length === count,
    );

  it('appear after their first request, with the name and the email address in their token', async () => {
    await as({ sub: 'a-1', name: 'Ann\u202e\nLee', email: 'ann@example.org' }, 'GET', '/api/me');
    await as(
      { sub: 'a-2', name: 'Ann Lee', email: 'x@example.org', email_verified: false },
      'GET',
      '/api/me',
    );
    const people = await until('ann lee', 2);
    expect(people).toMatchObject([
      { id: 'a-1', kind: 'user', name: 'Ann Lee', email: 'ann@example.org', role: 'member', state: 'active' },
      { id: 'a-2', name: 'Ann Lee', email: null },
    ]);
  });

  it('keep a name that a later token lacks', async () => {
    await as({ sub: 'b-1', preferred_username: 'bob' }, 'GET', '/api/me');
    await until('bob', 1);
    await as({ sub: 'b-1', role: 'viewer' }, 'GET', '/api/me');
    expect(await until('b-1', 1)).toMatchObject([{ name: 'bob' }]);
  });

  it('are hidden from a workspace-scoped administrator of other workspaces', async () => {
    await as({ sub: 'c-1', name: 'Cleo', workspaceIds: ['w1'] }, 'GET', '/api/me');
    await until('cleo', 1);
    const bound = { sub: 'd-1', role: 'admin', workspaceIds: ['w1', 'w2'] };
    const names = (await as<ListedPerson[]>(bound, 'GET', '/api/people')).map(({ id }) => id);
    expect(names).toContain('c-1');
    expect(names).not.toContain('a-1');
  });
});

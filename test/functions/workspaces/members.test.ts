import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { type Answer, type Service, startService } from '../../support/service.ts';

let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
let service: Service;
/** The folder and the workspace of each test. */
let folder = 'listed-0';
let id: string;

beforeAll(async () => {
  issuer = await startFakeIssuer();
  const oidc = { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'wrs' };
  service = await startService({
    ...oidc,
    OIDC_API_TOKENS: 'on',
    OIDC_GROUPS_CLAIM: 'teams',
    LOG_LEVEL: 'error',
  });
});
beforeEach(async () => {
  folder = folder.replace(/\d+/, (number) => String(Number(number) + 1));
  id = (await ask<{ id: string }>(ROOT, 'POST', '/api/workspaces', { path: folder })).body.id;
});
afterAll(() => issuer.stop());

const ROOT = { sub: 'root', role: 'admin' };
const ANN = { sub: 'ann', role: 'member', teams: ['owls'] };
const BOB = { sub: 'bob', role: 'member', teams: ['Owls', 'owls '] };

async function ask<Body = unknown>(
  who: JWTPayload,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const authorization = `Bearer ${await issuer.sign(who)}`;
  return service.call<Body>(method, path, body, { ...headers, authorization });
}

const members = () => `/api/workspaces/${id}/members`;
const put = (list: unknown, who: JWTPayload = ROOT) => ask(who, 'PUT', members(), list);
const enters = async (who: JWTPayload, headers?: Record<string, string>) =>
  (await ask(who, 'GET', `/api/workspaces/${id}`, undefined, headers)).status;
const writes = async (who: JWTPayload) =>
  (await ask(who, 'POST', '/api/files/write', { workspaceId: id, path: 'a.txt', content: 'a' })).status;
const seen = async (who: JWTPayload) => {
  const { body } = await ask<{ id: string }[]>(who, 'GET', '/api/workspaces');
  return body.map((workspace) => workspace.id).filter((each) => each === id);
};

describe('workspace members', () => {
  it('are all users who can sign in, by default', async () => {
    expect((await ask(ANN, 'GET', members())).body).toEqual([]);
    expect([await enters(ANN), await enters(BOB), await writes(BOB)]).toEqual([200, 200, 200]);
  });

  it('get access by a group or an ID, unlike any other user', async () => {
    const list = [
      { group: 'owls', role: 'member' },
      { subject: 'eve', role: 'viewer' },
    ];
    const answer = await put(list);
    expect([answer.status, answer.body]).toEqual([200, list]);
    expect([await enters(ANN), await writes(ANN)]).toEqual([200, 200]);
    expect([await enters({ ...ANN, sub: 'eve', teams: [] }), await writes({ ...ANN, sub: 'eve' })]).toEqual([
      200, 403,
    ]);
    const summary = { workspaceId: id, messages: [{ role: 'user', content: 'Owls hunt at night.' }] };
    const sums = async (preview: boolean) =>
      (await ask({ ...ANN, sub: 'eve' }, 'POST', '/api/agent/summarize', { ...summary, preview })).status;
    // Readers of the workspace can't create notes.
    expect([await sums(false), await sums(true)]).toEqual([403, 503]);
    expect([await enters(BOB), await enters(ROOT)]).toEqual([403, 200]);
    expect([await seen(ANN), await seen(BOB)]).toEqual([[id], []]);
    const made = await ask<object>(ANN, 'POST', '/api/workspaces', { path: folder });
    expect([made.status, Object.keys(made.body)]).toEqual([200, ['id', 'name', 'rootPath', 'createdAt']]);
    expect((await ask(BOB, 'POST', '/api/workspaces', { path: folder })).status).toBe(403);
    expect((await ask(BOB, 'POST', '/api/terminal/exec', { command: 'ls', cwd: service.root })).status).toBe(
      403,
    );
  });

  it("can't be forged with headers, other claims, or text that looks like a list", async () => {
    await put([{ group: 'owls', role: 'member' }]);
    const tricks = {
      'x-groups': 'owls',
      groups: '["owls"]',
      'x-amzn-request-context': '{"groups":["owls"]}',
    };
    expect(await enters(BOB, tricks)).toBe(403);
    for (const claims of [
      { groups: ['owls'] },
      { teams: '["owls"]' },
      { teams: [['owls']] },
      { teams: { owls: true } },
    ])
      expect(await enters({ sub: 'bob', role: 'member', ...claims })).toBe(403);
    expect(
      (await service.call('GET', members(), undefined, { authorization: `Bearer wrs_${'a'.repeat(43)}` }))
        .status,
    ).toBe(401);
  });

  it("can't save a list that would lock them out", async () => {
    const mine = { sub: 'mia', role: 'admin', workspaceIds: [id] };
    expect(
      (
        await put([
          { group: 'owls', role: 'member' },
          { subject: 'mia', role: 'admin' },
        ])
      ).status,
    ).toBe(200);
    expect((await put([{ group: 'owls', role: 'admin' }], mine)).status).toBe(400);
    expect((await put([], ANN)).status).toBe(403);
    expect((await put([{ subject: 'mia', role: 'admin' }], mine)).status).toBe(200);
    expect((await put([{ subject: 'mia', group: 'owls', role: 'admin' }], mine)).status).toBe(400);
  });

  it("can't delete the workspace, and so the list, if they can't change the list", async () => {
    const kim = { sub: 'kim', role: 'member' };
    await put([{ subject: 'kim', role: 'member' }]);
    expect([await writes(kim), (await ask(kim, 'DELETE', `/api/workspaces/${id}`)).status]).toEqual([
      200, 403,
    ]);
  });

  it("can't rename the workspace either, unlike its administrators", async () => {
    const rename = (who: JWTPayload) => ask(who, 'PATCH', `/api/workspaces/${id}`, { name: 'Ours' });
    expect((await rename(BOB)).status).toBe(200);
    await put([
      { subject: 'kim', role: 'member' },
      { subject: 'mia', role: 'admin' },
    ]);
    const answers = await Promise.all(
      [{ sub: 'kim', role: 'member' }, BOB, { sub: 'mia', role: 'admin' }].map(rename),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200]);
  });

  it("can't pass on their membership to a token that one of them created", async () => {
    const mia = { sub: 'mia', role: 'admin', workspaceIds: [id] };
    await put([{ subject: 'mia', role: 'admin' }], ROOT);
    const made = await ask<{ id: string }>(mia, 'POST', '/api/tokens', {
      name: 't',
      role: 'member',
      workspaceIds: [id],
    });
    expect(made.status).toBe(201);
    expect(await enters({ sub: made.body.id, role: 'member' })).toBe(403);
    const audit = await ask<{ about: string }[]>(ROOT, 'GET', '/api/audit?action=tokens');
    expect(audit.body.filter(({ about }) => about.includes(id))).toMatchObject([
      { action: 'tokens.create', about: `member for ${id}: t` },
    ]);
  });
});

describe('audit log', () => {
  it('contains the actor, the result, and the origin of an action', async () => {
    type Entry = Record<string, unknown>;
    const mia = { sub: 'mia', role: 'admin', workspaceIds: [id] };
    await put([{ subject: 'mia', role: 'admin' }]);
    await put([{ group: 'owls', role: 'admin' }], mia);
    await put([{ subject: 'mia', role: 'admin' }], mia);
    await put([{ subject: 'kim', role: 'member' }]);
    await put([{ subject: 'mia', role: 'admin' }]);
    const changes = await ask<Entry[]>(ROOT, 'GET', `/api/audit?action=members.change&limit=2`);
    expect(changes.body).toMatchObject([
      { actor: 'root', outcome: 'done', workspaceId: id, about: 'admin mia', address: '127.0.0.1' },
      { actor: 'root', outcome: 'done', about: 'member kim' },
    ]);
    const rest = await ask<Entry[]>(
      ROOT,
      'GET',
      `/api/audit?action=members.change&cursor=${changes.headers['x-next-cursor']}`,
    );
    expect(rest.body.slice(0, 3).map(({ actor, outcome }) => [actor, outcome])).toEqual([
      ['mia', 'done'],
      ['mia', 'refused'],
      ['root', 'done'],
    ]);
  });

  it('contains names of settings, but not their values', async () => {
    await ask(ROOT, 'PUT', '/api/settings', { hubAToken: 'hf_hidden', llmModel: '=cmd' });
    const { bytes } = await ask(ROOT, 'GET', '/api/audit?actor=root&action=settings.change');
    expect(bytes.toString()).toContain('"about":"llmModel hubAToken"');
    expect(bytes.toString()).not.toMatch(/hf_hidden|=cmd/);
  });

  it('can be exported as a table without formulas', async () => {
    await ask({ sub: '=HYPERLINK("x")', role: 'admin' }, 'DELETE', '/api/tokens/none');
    const { body, headers } = await ask<string>(ROOT, 'GET', '/api/audit/export?action=tokens.revoke');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(body.split('\r\n')[1]).toMatch(
      /,"'=HYPERLINK\(""x""\)",admin,tokens\.revoke,,none,refused,404,127\.0\.0\.1,/,
    );
  });

  it('is visible only to global administrators', async () => {
    for (const path of ['/api/audit', '/api/audit/export']) {
      expect((await ask(ANN, 'GET', path)).status).toBe(403);
      expect((await ask({ ...ROOT, workspaceIds: [id] }, 'GET', path)).status).toBe(403);
    }
  });
});

describe('removed member', () => {
  it('does not get an earlier response again', async () => {
    await put([{ subject: 'kim', role: 'member' }]);
    const kim = { sub: 'kim', role: 'member' };
    const once = (path: string, body: unknown, key: string) =>
      ask<{ id: string }>(kim, 'POST', path, body, { 'idempotency-key': key });
    const note = () => once('/api/notes', { workspaceId: id, title: 'Owls', content: 'They hunt.' }, 'n');
    const task = { workspaceId: id, name: 't', taskType: 'source_sync', schedule: '0 0 1 1 *' };
    const { body } = await once('/api/scheduled-tasks', task, 't');
    // Identified only by its ID.
    const run = () => once(`/api/scheduled-tasks/${body.id}/run`, undefined, 'r');
    expect([(await note()).status, (await run()).status]).toEqual([201, 202]);
    for (const again of [await note(), await run()])
      expect(again.headers['idempotency-replayed']).toBe('true');
    await put([{ subject: 'eve', role: 'member' }]);
    for (const again of [await note(), await run()])
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([403, undefined]);
  });

  it('appears in the audit log with the workspace, even if a request names only an ID', async () => {
    await put([]);
    const made = await ask<{ id: string }>(ROOT, 'POST', '/api/notes', {
      workspaceId: id,
      title: 'Owls',
      content: 'They hunt.',
    });
    await put([{ subject: 'eve', role: 'member' }]);
    const remove = (who: JWTPayload) => ask(who, 'DELETE', `/api/notes/${made.body.id}`);
    expect([(await remove(BOB)).status, (await remove(ROOT)).status]).toEqual([403, 200]);
    const { body } = await ask(ROOT, 'GET', '/api/audit?action=notes.delete');
    expect(body).toMatchObject([
      { actor: 'root', outcome: 'done', workspaceId: id, about: made.body.id },
      { actor: 'bob', outcome: 'refused', workspaceId: id },
    ]);
  });
});

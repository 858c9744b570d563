import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../lib/audit/schema.ts';
import type { WorkspaceSettings } from '../../../lib/workspaces/settings.ts';
import { startFakeIssuer } from '../../support/fakes/fake-issuer.ts';
import { type Service, startService } from '../../support/service.ts';

const ROOT = { sub: 'root', role: 'admin' };
const ANN = { sub: 'ann', role: 'member' };
const EVE = { sub: 'eve', role: 'viewer' };

let issuer: Awaited<ReturnType<typeof startFakeIssuer>>;
let service: Service;
let id: string;
let made = 0;

beforeAll(async () => {
  issuer = await startFakeIssuer();
  const oidc = { AUTH_MODE: 'oidc', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'wrs' };
  service = await startService({ ...oidc, LOG_LEVEL: 'error' });
});
beforeEach(async () => {
  await judgeEverywhere(null);
  id = (await ask<{ id: string }>(ROOT, 'POST', '/api/workspaces', { path: `judged-${made++}` })).body.id;
});
afterAll(() => issuer.stop());

async function ask<Body = unknown>(who: typeof ROOT, method: string, path: string, body?: unknown) {
  const authorization = `Bearer ${await issuer.sign(who)}`;
  return service.call<Body>(method, path, body, { authorization });
}

const settings = () => `/api/workspaces/${id}/settings`;
const read = (who = EVE) => ask<WorkspaceSettings>(who, 'GET', settings());
const put = (citationJudge: unknown, who = ROOT) =>
  ask<WorkspaceSettings>(who, 'PUT', settings(), { citationJudge });
const judgeEverywhere = (citationJudge: unknown) => ask(ROOT, 'PUT', '/api/settings', { citationJudge });

describe('workspace settings', () => {
  it('follow those of the service immediately until they are set', async () => {
    const found = async () => Object.values((await read()).body);
    expect(await found()).toEqual([null, 'off', 'environment', null]);
    await judgeEverywhere('on');
    expect(await found()).toEqual([null, 'on', 'settings', null]);
    const own = {
      citationJudge: 'off',
      citationJudgeInForce: 'off',
      citationJudgeSource: 'workspace',
      webSearch: null,
    };
    expect((await put('off')).body).toEqual(own);
    await judgeEverywhere('off');
    await judgeEverywhere('on');
    expect((await read()).body).toEqual(own);
    expect((await put(null)).body).toMatchObject({ citationJudge: null, citationJudgeInForce: 'on' });
    await judgeEverywhere('off');
    expect(await found()).toEqual([null, 'off', 'settings', null]);
  });

  it('can be set only by administrators, including those of the workspace', async () => {
    for (const who of [EVE, ANN]) {
      expect((await put('on', who)).status).toBe(403);
      expect((await ask(who, 'PUT', '/api/settings', { citationJudge: 'on' })).status).toBe(403);
    }
    expect((await read()).body.citationJudge).toBeNull();
    await ask(ROOT, 'PUT', `/api/workspaces/${id}/members`, [
      { subject: 'ann', role: 'member' },
      { subject: 'eve', role: 'viewer' },
    ]);
    expect((await put('on', ANN)).status).toBe(403);
    expect((await put('on')).status).toBe(200);
    expect((await read(ANN)).body.citationJudge).toBe('on');
    expect((await read({ sub: 'bob', role: 'member' })).status).toBe(403);
  });

  it('keep two values that are set concurrently, the name, and the members', async () => {
    const members = [{ subject: 'eve', role: 'viewer' }];
    const answers = await Promise.all([
      ...['on', 'off', 'on', 'off'].map((value) => put(value)),
      ask(ROOT, 'PUT', `/api/workspaces/${id}/members`, members),
      ask(ROOT, 'PATCH', `/api/workspaces/${id}`, { name: 'Owls' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const { citationJudge, citationJudgeInForce } = (await read()).body;
    expect(['on', 'off']).toContain(citationJudge);
    expect(citationJudgeInForce).toBe(citationJudge);
    expect((await ask(ROOT, 'GET', `/api/workspaces/${id}/members`)).body).toEqual(members);
    const { body } = await ask<object>(ROOT, 'GET', `/api/workspaces/${id}`);
    expect(body).toMatchObject({ name: 'Owls' });
    expect(body).not.toHaveProperty('citationJudge');
  });

  it('are in the audit log', async () => {
    await put('on');
    await put(null);
    await judgeEverywhere('on');
    const { body } = await ask<AuditEntry[]>(ROOT, 'GET', '/api/audit?action=settings.change&limit=3');
    expect(body.map(({ workspaceId, about, outcome }) => [workspaceId, about, outcome])).toEqual([
      [null, 'citationJudge', 'done'],
      [id, 'citationJudge', 'done'],
      [id, 'citationJudge', 'done'],
    ]);
  });

  it.each([
    [{}],
    [{ citationJudge: true }],
    [{ citationJudge: 'inherit' }],
    [{ citationJudge: 'on', name: 'x' }],
    [[]],
  ])('return 400 for %j, and change nothing', async (body) => {
    await put('on');
    expect((await ask(ROOT, 'PUT', settings(), body)).status).toBe(400);
    expect((await read()).body.citationJudge).toBe('on');
  });

  it('are deleted with their workspace', async () => {
    await ask(ROOT, 'DELETE', `/api/workspaces/${id}`);
    expect((await put('on')).status).toBe(404);
    expect((await ask(ROOT, 'GET', `/api/workspaces/${id}`)).status).toBe(404);
  });
});

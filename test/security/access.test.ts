import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { createRun } from '../../lib/agent/run/runs.ts';
import type { Route } from '../../lib/http/route.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { tokens } from '../../lib/tokens/schema.ts';
import { hashSecret } from '../../lib/tokens/tokens.ts';
import { runProgram } from '../support/run-program.ts';
import { type Service, startService } from '../support/service.ts';
import { makeWorkspace } from '../support/workspace.ts';

type AnyRoute = Omit<Route<unknown>, 'handle'>;

const TOKEN_COMMAND = resolve(import.meta.dirname, '../../infra/token.ts');
const RANK = { public: 0, viewer: 1, member: 2, admin: 3 };
const service = await startService({ AUTH_MODE: 'token' });

async function token(...args: string[]) {
  const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir };
  const { code, stdout, stderr } = await runProgram(process.execPath, [TOKEN_COMMAND, ...args], {
    env,
    cwd: service.dataDir,
  });
  if (code !== 0) throw new Error(stderr);
  return { secret: stdout.trim(), id: /^token (\S+)/.exec(stderr)?.[1] ?? '' };
}

async function makeToken(role: string, ...more: string[]) {
  return token('create', '--name', `a ${role}`, '--role', role, ...more);
}

const [admin, member, viewer, revoked] = await Promise.all([
  makeToken('admin'),
  makeToken('member'),
  makeToken('viewer'),
  makeToken('admin'),
]);
const asAdmin: Service = {
  ...service,
  call: (method, path, body) => service.call(method, path, body, bearer(admin.secret)),
};
const other = await makeWorkspace(asAdmin, 'other');
const restricted = await makeToken('member', '--workspaces', other.id);
await token('revoke', revoked.id);
const expired = await makeToken('admin', '--expires', new Date(Date.now() + 3_600_000).toISOString());
await expire(expired.secret);

const STRANGERS: [string, Record<string, string>][] = [
  ['no credential', {}],
  ['an unknown token', bearer(`wrs_${'A'.repeat(43)}`)],
  ['an expired token', bearer(expired.secret)],
  ['a revoked token', bearer(revoked.secret)],
  ['a token under another scheme', { authorization: `Basic ${admin.secret}` }],
  ['a token with a piece missing', bearer(admin.secret.slice(0, -1))],
];
const ROLES = { viewer, member, admin };

/** As if its time had passed. */
async function expire(secret: string): Promise<void> {
  const database = openDatabase(service.dataDir);
  const expiresAt = new Date(Date.now() - 1000).toISOString();
  await tokens.update(sqliteRecords(database), { hash: hashSecret(secret) }, { set: { expiresAt } });
  database.close();
}

function bearer(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

/** A valid body or query of each route that names a workspace there. A new route without one fails its test. */
const SAMPLES: Record<string, Record<string, unknown>> = {
  'GET /api/files/browse': {},
  'GET /api/files/read': { path: 'a.txt' },
  'GET /api/files/raw': { path: 'a.txt' },
  'POST /api/files/write': { path: 'a.txt', content: '' },
  'POST /api/files/upload': { path: 'a.txt' },
  'DELETE /api/files/delete': { path: 'a.txt' },
  'POST /api/files/rename': { oldPath: 'a.txt', newPath: 'b.txt' },
  'POST /api/files/mkdir': { path: 'folder' },
  'POST /api/files/uploads': { path: 'a.txt', size: 1 },
  'POST /api/chat': { messages: [{ role: 'user', content: 'hello' }] },
  'GET /api/workspaces/{workspaceId}/search': { q: 'word' },
  'POST /api/agent': { messages: [{ role: 'user', content: 'hello' }], cwd: '', mode: 'ask' },
  'POST /api/agent/summarize': { messages: [{ role: 'user', content: 'hello' }], preview: true },
  'GET /api/agent/runs': {},
  'GET /api/workspaces/{workspaceId}/activity': {},
  'GET /api/notes': {},
  'POST /api/notes': { title: 'A note' },
  'POST /api/generate': { type: 'summary' },
  'POST /api/daily-report': {},
  'POST /api/weekly-report': {},
  'GET /api/scheduled-tasks': {},
  'POST /api/scheduled-tasks': { name: 'A task', taskType: 'git_sync', schedule: '0 3 * * *' },
  'PUT /api/scheduled-tasks/{taskId}': {},
  'POST /api/git/pull': {},
  'GET /api/git/status': {},
  'GET /api/cluster/operations': {},
  'POST /api/datasets/{datasetId}/workspaces': {},
  'DELETE /api/datasets/{datasetId}/workspaces': {},
  'GET /api/skills': {},
  'POST /api/skills': { name: 'A skill', systemPrompt: 'Do it.' },
  'POST /api/skills/import': { content: '---\nname: A skill\n---\nDo it.' },
};

/** What lies in a workspace and is asked for by an id of its own: makes one in the workspace, and answers its id. */
const OWNED: Record<string, (workspaceId: string) => Promise<string>> = {
  noteId: (workspaceId) => makeThing('/api/notes', { workspaceId, title: 'For one' }),
  skillId: (workspaceId) =>
    makeThing('/api/skills', { workspaceId, name: randomUUID(), systemPrompt: 'Do it.' }),
  taskId: (workspaceId) =>
    makeThing('/api/scheduled-tasks', { ...SAMPLES['POST /api/scheduled-tasks'], workspaceId }),
  uploadId: (workspaceId) => makeThing('/api/files/uploads', { workspaceId, path: 'a.txt', size: 1 }),
  runId: makeRun,
};
/** A valid body of each route that names such a thing and takes one. */
const OWNED_BODIES: Record<string, Record<string, unknown>> = {
  'PUT /api/notes/{noteId}': { title: 'x' },
  'PUT /api/skills/{skillId}': { name: 'x' },
  'PUT /api/scheduled-tasks/{taskId}': { name: 'x' },
  'POST /api/agent/runs/{runId}/approvals/{approvalId}': { approved: true },
};
/** Ids of what lies in no workspace, or within another thing that is named before. */
const UNOWNED = ['workspaceId', 'asset', 'datasetId', 'tokenId', 'approvalId'];

async function makeThing(path: string, body: unknown): Promise<string> {
  const answer = await asAdmin.call<{ id?: string; uploadId?: string }>('POST', path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body.id ?? answer.body.uploadId ?? '';
}

async function makeRun(workspaceId: string): Promise<string> {
  const database = openDatabase(service.dataDir);
  const caller = { id: admin.id, role: 'admin' as const, workspaceIds: null };
  const fields = { workspaceId, caller, mode: 'ask' as const, cwd: '', provider: 'a' as const };
  const ports = { records: sqliteRecords(database), clock: systemClock };
  const { id } = await createRun(ports, { ...fields, model: 'none', allowedTools: null });
  database.close();
  return id;
}

function parametersOf({ path }: AnyRoute): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '');
}

const routes = Object.values(ROUTE_GROUPS).flat() as AnyRoute[];

function shapeOf(schema: unknown): Record<string, unknown> {
  return (schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
}

function namesWorkspace({ path, query, body }: AnyRoute): boolean {
  return path.includes('{workspaceId}') || 'workspaceId' in shapeOf(query) || 'workspaceId' in shapeOf(body);
}

function send(route: AnyRoute, workspaceId: string, headers: Record<string, string>) {
  const { path, query, body, requestBody } = requestFor(route, workspaceId);
  return service.call(route.method, query === '' ? path : `${path}?${query}`, body && requestBody, headers);
}

function requestFor(route: AnyRoute, workspaceId: string) {
  const path = route.path
    .replace('{workspaceId}', workspaceId)
    .replace('{asset}', 'start.js')
    .replace(/\{\w+\}/g, '01a1fcf8-a7e2-778b-8bd9-87a5309f5401');
  const inPath = route.path.includes('{workspaceId}');
  const fields = { ...SAMPLES[`${route.method} ${route.path}`], ...(inPath ? {} : { workspaceId }) };
  const asBody = route.body !== undefined;
  const query =
    asBody || !namesWorkspace(route) ? '' : new URLSearchParams(fields as Record<string, string>).toString();
  return {
    path,
    query,
    body: asBody,
    requestBody: route.bodyType === 'multipart/form-data' ? formOf(fields) : fields,
  };
}

function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob(['x']), 'a.txt');
  return form;
}

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (name, route) => {
    const isPublic = route.access === 'public';

    it.each(STRANGERS)(`answers ${isPublic ? 'anyone' : '401'}: %s`, async (_who, headers) => {
      const answer = await send(route, other.id, headers);
      if (isPublic) return expect([401, 403]).not.toContain(answer.status);
      expect(answer.status).toBe(401);
      return expect(answer.body).toEqual({ error: expect.any(String) });
    });

    it.each(['viewer', 'member', 'admin'] as const)('knows the role %s', async (role) => {
      const { id } = await makeWorkspace(asAdmin);
      const { status } = await send(route, id, bearer(ROLES[role].secret));
      if (RANK[role] < RANK[route.access]) expect(status).toBe(403);
      else expect([401, 403]).not.toContain(status);
    });

    it('names only ids of which it is known whose they are', () => {
      for (const parameter of parametersOf(route))
        expect([...UNOWNED, ...Object.keys(OWNED)]).toContain(parameter);
    });

    for (const parameter of parametersOf(route).filter((each) => each in OWNED)) {
      it(`answers 403 to a token for another workspace than that of its ${parameter}`, async () => {
        const { id } = await makeWorkspace(asAdmin);
        const thing = (await OWNED[parameter]?.(id)) ?? '';
        const path = route.path.replace(`{${parameter}}`, thing).replace(/\{\w+\}/g, `${thing}-0`);
        const answer = await service.call(
          route.method,
          path,
          route.body && (OWNED_BODIES[name] ?? {}),
          bearer(restricted.secret),
        );
        expect(answer.status).toBe(403);
      });
    }

    if (namesWorkspace(route)) {
      it('answers 403 to a token for another workspace', async () => {
        const { id } = await makeWorkspace(asAdmin);
        const hasFields = route.body !== undefined || Object.keys(shapeOf(route.query)).length > 0;
        if (hasFields) expect(Object.keys(SAMPLES)).toContain(name);
        expect((await send(route, id, bearer(restricted.secret))).status).toBe(403);
      });
    }
  },
);

describe('a token for certain workspaces', () => {
  it('sees only those', async () => {
    await makeWorkspace(asAdmin);
    const { body } = await service.call<{ id: string }[]>(
      'GET',
      '/api/workspaces',
      undefined,
      bearer(restricted.secret),
    );
    expect(body.map(({ id }) => id)).toEqual([other.id]);
  });

  it('may use those, and makes no others', async () => {
    const headers = bearer(restricted.secret);
    const written = { workspaceId: other.id, path: 'mine.txt', content: '' };
    expect((await service.call('POST', '/api/files/write', written, headers)).status).toBe(200);
    expect((await service.call('POST', '/api/workspaces', { path: 'more' }, headers)).status).toBe(403);
  });

  it('learns nothing of an upload into another workspace', async () => {
    const { id } = await makeWorkspace(asAdmin);
    const started = await asAdmin.call<{ uploadId: string }>('POST', '/api/files/uploads', {
      workspaceId: id,
      path: 'a',
      size: 1,
    });
    const { status } = await service.call(
      'GET',
      `/api/files/uploads/${started.body.uploadId}`,
      undefined,
      bearer(restricted.secret),
    );
    expect(status).toBe(403);
  });
});

describe('a global skill', () => {
  const body = { name: 'For all', systemPrompt: 'Do it.' };
  const made = () => asAdmin.call<{ id: string }>('POST', '/api/skills', { ...body, name: randomUUID() });

  it('is read by everyone, and changed by an administrator of the whole alone', async () => {
    const bound = await makeToken('admin', '--workspaces', other.id);
    const { id } = (await made()).body;
    for (const { secret } of [viewer, member, restricted, bound]) {
      const as = bearer(secret);
      expect((await service.call('GET', `/api/skills/${id}`, undefined, as)).status).toBe(200);
      expect((await service.call('PUT', `/api/skills/${id}`, { name: 'x' }, as)).status).toBe(403);
      expect((await service.call('DELETE', `/api/skills/${id}`, undefined, as)).status).toBe(403);
      expect((await service.call('POST', '/api/skills', body, as)).status).toBe(403);
      expect((await service.call('POST', '/api/skills/import', { skill: body }, as)).status).toBe(403);
    }
    expect((await asAdmin.call('DELETE', `/api/skills/${id}`)).status).toBe(200);
  });
});

describe('a skill of a workspace', () => {
  it('is for the tokens of that workspace', async () => {
    const { id } = await makeWorkspace(asAdmin);
    const skill = { name: 'For one', systemPrompt: 'Do it.' };
    const [inside, outside] = await Promise.all(
      [other.id, id].map((workspaceId) =>
        asAdmin.call<{ id: string }>('POST', '/api/skills', { ...skill, workspaceId }),
      ),
    );
    const call = (method: string, path: string, body?: unknown) =>
      service.call(method, path, body, bearer(restricted.secret));
    for (const [answer, status] of [
      [inside, 200],
      [outside, 403],
    ] as const) {
      const path = `/api/skills/${answer?.body.id}`;
      expect((await call('GET', path)).status).toBe(status);
      expect((await call('GET', `${path}/export`)).status).toBe(status);
      expect((await call('PUT', path, { name: 'x' })).status).toBe(status);
      expect((await call('DELETE', path)).status).toBe(status);
    }
  });
});

describe('a scheduled task', () => {
  it('is for the tokens of its workspace', async () => {
    const { id } = await makeWorkspace(asAdmin);
    const task = { ...SAMPLES['POST /api/scheduled-tasks'], workspaceId: id };
    const made = await asAdmin.call<{ id: string }>('POST', '/api/scheduled-tasks', task);
    const path = `/api/scheduled-tasks/${made.body.id}`;
    const as = bearer(restricted.secret);
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/runs'],
      ['POST', '/run'],
    ] as const)
      expect((await service.call(method, path + rest, undefined, as)).status).toBe(403);
    expect((await service.call('PUT', path, { name: 'x' }, as)).status).toBe(403);
    expect((await asAdmin.call('GET', path)).body).toMatchObject(task);
  });
});

describe('a note', () => {
  it('is for the tokens of its workspace', async () => {
    const { id } = await makeWorkspace(asAdmin);
    const note = { workspaceId: id, title: 'For one' };
    const path = `/api/notes/${(await asAdmin.call<{ id: string }>('POST', '/api/notes', note)).body.id}`;
    const as = bearer(restricted.secret);
    expect((await service.call('GET', path, undefined, as)).status).toBe(403);
    expect((await service.call('PUT', path, { title: 'x' }, as)).status).toBe(403);
    expect((await service.call('DELETE', path, undefined, as)).status).toBe(403);
    expect((await asAdmin.call('GET', path)).body).toMatchObject(note);
  });
});

describe('a token that is revoked', () => {
  it('stops at its next request', async () => {
    const { secret, id } = await makeToken('viewer');
    expect((await service.call('GET', '/api/workspaces', undefined, bearer(secret))).status).toBe(200);
    expect((await asAdmin.call('DELETE', `/api/tokens/${id}`)).status).toBe(200);
    expect((await service.call('GET', '/api/workspaces', undefined, bearer(secret))).status).toBe(401);
  });
});

import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../lib/audit/schema.ts';
import type { Workspace } from '../../../lib/workspaces/schema.ts';
import { type Service, startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const second = await tempFolder();
const outside = await tempFolder();
const first = join(await tempFolder(), 'first');
const service = await startService({ WORKSPACE_ROOTS: `${first}, ${second}` });
const { root } = service;
await symlink(outside, join(root, 'link-outside'));
await symlink(join(outside, 'new'), join(root, 'dangling'));
await symlink('circle', join(root, 'circle'));
await writeFile(join(root, 'file.txt'), '');

function create(body: unknown, headers: Record<string, string> = {}, at: Service = service) {
  return at.call<Workspace>('POST', '/api/workspaces', body, headers);
}

function list(query = '') {
  return service.call<Workspace[]>('GET', `/api/workspaces${query}`);
}

describe('POST /api/workspaces', () => {
  it('creates the directory and returns 201 with the record', async () => {
    const { status, body } = await create({ path: 'papers/one' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'one',
      rootPath: join(root, 'papers/one'),
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect((await stat(body.rootPath)).isDirectory()).toBe(true);
  });

  it('accepts a name, and an absolute path inside any of the roots', async () => {
    const { status, body } = await create({ path: join(second, 'two'), name: 'Zwei 😀' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Zwei 😀', rootPath: join(second, 'two') });
  });

  it('returns 200 with the same record for every spelling of the same directory', async () => {
    const made = (await create({ path: 'same' })).body;
    await symlink(join(root, 'same'), join(root, 'link-to-same'));
    for (const path of ['same', 'same/', './same', 'papers/../same', `${root}//same`, 'link-to-same']) {
      expect(await create({ path, name: 'other' })).toMatchObject({ status: 200, body: made });
    }
  });

  it('creates one record for twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ path: 'race' })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    const { body } = await list('?limit=1000');
    expect(body.filter(({ name }) => name === 'race')).toHaveLength(1);
  });

  it('never creates overlapping workspaces, even concurrently', async () => {
    const paths = ['over', 'over/lap', 'over/lap/deep'];
    await Promise.all([...paths, ...paths].map((path) => create({ path })));
    const made = (await list('?limit=1000')).body.filter(({ rootPath }) =>
      rootPath.startsWith(join(root, 'over')),
    );
    expect(made.length).toBeLessThanOrEqual(1);
  });

  it('returns 409 inside or around another workspace, but not next to it', async () => {
    await create({ path: 'outer/middle' });
    await mkdir(join(root, 'elsewhere'));
    await symlink(join(root, 'outer/middle'), join(root, 'elsewhere/link'));
    for (const path of ['outer', 'outer/middle/inner', '.', 'elsewhere/link/x']) {
      const answer = await create({ path });
      expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('path') } });
    }
    expect((await create({ path: 'outer/middle-beside' })).status).toBe(201);
  });

  it('leaves no directory behind after 409', async () => {
    await create({ path: 'taken' });
    for (const path of ['taken/sub', 'taken/deep/sub']) {
      expect((await create({ path })).status).toBe(409);
    }
    expect(await readdir(join(root, 'taken'))).toEqual([]);
  });

  it("keeps the path free if the directory can't be created", async () => {
    await writeFile(join(root, 'in-the-way'), '');
    expect((await create({ path: 'in-the-way/sub' })).status).toBe(400);
    await rm(join(root, 'in-the-way'));
    expect((await create({ path: 'in-the-way' })).status).toBe(201);
  });

  it('returns 404 and creates nothing for a missing directory that may not be created', async () => {
    const answer = await create({ path: 'absent/one', create: false });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([404, 'path_not_found']);
    expect(await readdir(root)).not.toContain('absent');
    await mkdir(join(root, 'present'));
    expect((await create({ path: 'present', create: false })).status).toBe(201);
  });

  it('creates no folder for a path outside the roots', async () => {
    const before = await readdir(root, { recursive: true });
    for (const path of [outside, join(outside, 'new')])
      expect((await create({ path })).headers['x-error-code']).toBe('path_outside_roots');
    expect(await readdir(root, { recursive: true })).toEqual(before);
  });

  it('creates the directory of a workspace again after the directory was removed', async () => {
    const { body } = await create({ path: 'removed' });
    await rm(body.rootPath, { recursive: true });
    expect(await create({ path: 'removed' })).toMatchObject({ status: 200, body });
    expect((await stat(body.rootPath)).isDirectory()).toBe(true);
  });

  it('handles a request once per Idempotency-Key, and returns 409 for another body', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const made = await create({ path: 'idempotent' }, headers);
    const again = await create({ path: 'idempotent' }, headers);
    expect([again.status, again.body]).toEqual([201, made.body]);
    expect((await create({ path: 'idempotent', name: 'x' }, headers)).status).toBe(409);
  });

  it.each([
    ['a body that is not JSON', 'x', 400, 'JSON'],
    ["a body that isn't an object", [], 400, 'body'],
    ['no path', {}, 400, 'path'],
    ['an empty path', { path: '' }, 400, 'path'],
    ["a path that isn't a string", { path: 1 }, 400, 'path'],
    ['a path over 4096 characters', { path: 'x'.repeat(4097) }, 400, 'path'],
    ['a name over 255 bytes', { path: 'x'.repeat(256) }, 400, 'path'],
    ['an empty name', { path: 'x', name: '' }, 400, 'name'],
    ['a name over 200 characters', { path: 'x', name: 'n'.repeat(201) }, 400, 'name'],
    ['an unknown field', { path: 'x', rootPath: '/' }, 400, 'rootPath'],
    ['an absolute path outside the roots', { path: '/etc' }, 400, 'path'],
    ['a missing absolute path outside', { path: '/no/such/place' }, 400, 'path'],
    ["a tilde, which isn't expanded", { path: '~' }, 400, 'without ~'],
    ['a path that starts with a tilde', { path: '~/code/other' }, 400, 'without ~'],
    ['an absolute path in quotes', { path: '"/etc"' }, 400, 'quotes'],
    ['the parent of a root', { path: '..' }, 400, 'path'],
    ['.. out of the root', { path: 'a/../../x' }, 400, 'path'],
    ['a sibling whose name starts like the root', { path: '../first-and-more' }, 400, 'path'],
    ['a link to the outside', { path: 'link-outside' }, 400, 'path'],
    ['a path through a link to the outside', { path: 'link-outside/new' }, 400, 'path'],
    ['a link to a missing target outside', { path: 'dangling' }, 400, 'path'],
    ['a path through such a link', { path: 'dangling/new' }, 400, 'path'],
    ['a circular link', { path: 'circle' }, 400, 'path'],
    ['a path through a circular link', { path: 'circle/x' }, 400, 'path'],
    ['a file', { path: 'file.txt' }, 400, 'path'],
    ['a path through a file', { path: 'file.txt/x' }, 400, 'path'],
    ['NUL', { path: 'a\0b' }, 400, 'path'],
    ['a lone surrogate', { path: 'a\ud800' }, 400, 'path'],
  ])('rejects %s', async (_what, body, status, named) => {
    const answer = await create(body, { 'content-type': 'application/json' });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
    expect(answer.bytes.toString()).not.toContain(outside);
    expect(await readdir(outside)).toEqual([]);
  });
});

describe('GET /api/workspaces', () => {
  it('lists newest first by page with a cursor, each workspace once', async () => {
    for (const path of ['list-1', 'list-2', 'list-3']) await create({ path });
    const all = (await list('?limit=1000')).body.map(({ name }) => name);
    expect(all.slice(0, 3)).toEqual(['list-3', 'list-2', 'list-1']);
    const seen: string[] = [];
    let cursor: unknown = '';
    for (let page = 0; page < 50 && cursor !== undefined; page++) {
      const answer = await list(
        `?limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`}`,
      );
      seen.push(...answer.body.map(({ name }) => name));
      cursor = answer.headers['x-next-cursor'];
    }
    expect(seen).toEqual(all);
  });

  it('includes the status of each workspace on request', async () => {
    const made = (await create({ path: 'how-it-is' })).body;
    const files = { searchable: 0, noText: 0, failed: 0 };
    const figures = { total: 0, done: 0, failedCount: 0, waitingCount: 0 };
    const index = { status: 'idle', ...figures, finishedAt: null, index: files };
    const [first] = (await list('?with=state&limit=1')).body;
    expect(first).toEqual({ ...made, state: { index, waiting: [], recent: [], failed: [] } });
    expect((await list('?limit=1')).body).toEqual([made]);
  });

  const REFUSED = ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'cursor=!!!', 'with=', 'with=state,all'];
  it.each(REFUSED)('rejects %s', async (query) => {
    const answer = await service.call('GET', `/api/workspaces?${query}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(query.split('=')[0] ?? '') },
    });
  });

  it('returns 405 with Allow for another method', async () => {
    const answer = await service.call('PUT', '/api/workspaces', {});
    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });
});

describe('GET /api/workspaces/{workspaceId}', () => {
  it('includes the status of the index and the number of notes', async () => {
    const made = (await create({ path: 'detail' })).body;
    const { status, body } = await service.call('GET', `/api/workspaces/${made.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...made,
      noteCount: 0,
      index: { status: 'idle', total: 0, done: 0, errors: [] },
    });
  });

  it.each(['01a1fcf8-a7e2-778b-8bd9-87a5309f5401', 'x', '%2e%2e', 'a%2Fb'])(
    'returns 404 for %s',
    async (workspaceId) => {
      const answer = await service.call('GET', `/api/workspaces/${workspaceId}`);
      expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    },
  );
});

describe('PATCH /api/workspaces/{workspaceId}', () => {
  const rename = (id: string, body: unknown) =>
    service.call<Workspace & { error: string }>('PATCH', `/api/workspaces/${id}`, body);

  it('changes the name everywhere, keeps the folder, and is audited', async () => {
    const made = (await create({ path: 'files-2026-11-26' })).body;
    const answer = await rename(made.id, { name: ' Field notes 😀 ' });
    expect(answer).toMatchObject({ status: 200, body: { ...made, name: 'Field notes 😀' } });
    const { body } = await service.call<Workspace>('GET', `/api/workspaces/${made.id}`);
    expect(body).toMatchObject({ name: 'Field notes 😀', rootPath: made.rootPath });
    expect((await create({ path: 'files-2026-11-26' })).body.name).toBe('Field notes 😀');
    const listed = (await list('?limit=1000')).body.find(({ id }) => id === made.id);
    expect(listed?.name).toBe('Field notes 😀');
    const entries = await service.call<AuditEntry[]>('GET', '/api/audit?action=workspaces.rename');
    expect(entries.body.filter(({ workspaceId }) => workspaceId === made.id)).toMatchObject([
      { about: 'Field notes 😀', outcome: 'done' },
    ]);
  });

  it.each([{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(201) }, { name: 'x', rootPath: '/' }])(
    'returns 400 for %j',
    async (body) => {
      const made = (await create({ path: 'named' })).body;
      expect((await rename(made.id, body)).status).toBe(400);
      expect((await service.call<Workspace>('GET', `/api/workspaces/${made.id}`)).body.name).toBe('named');
    },
  );

  it('returns 404 for an unknown ID and for a deleted workspace, which stays deleted', async () => {
    const made = (await create({ path: 'renamed-late' })).body;
    await service.call('DELETE', `/api/workspaces/${made.id}`);
    for (const id of [made.id, 'x']) expect((await rename(id, { name: 'x' })).status).toBe(404);
    expect((await list('?limit=1000')).body.map(({ id }) => id)).not.toContain(made.id);
  });
});

describe('DELETE /api/workspaces/{workspaceId}', () => {
  it('removes the record and keeps the files, so that the directory can become a workspace again', async () => {
    const made = (await create({ path: 'removed' })).body;
    await writeFile(join(made.rootPath, 'kept.txt'), '');
    const answer = await service.call('DELETE', `/api/workspaces/${made.id}`);
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect((await service.call('GET', `/api/workspaces/${made.id}`)).status).toBe(404);
    expect((await service.call('GET', `/api/files/browse?workspaceId=${made.id}`)).status).toBe(404);
    expect((await list('?limit=1000')).body.map(({ id }) => id)).not.toContain(made.id);
    expect(await readdir(made.rootPath)).toEqual(['kept.txt']);
    const again = await create({ path: 'removed' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(made.id);
  });

  it('returns 404 for an unknown ID and for a deleted workspace', async () => {
    const made = (await create({ path: 'twice' })).body;
    await service.call('DELETE', `/api/workspaces/${made.id}`);
    expect((await service.call('DELETE', `/api/workspaces/${made.id}`)).status).toBe(404);
    expect((await service.call('DELETE', '/api/workspaces/x')).status).toBe(404);
  });
});

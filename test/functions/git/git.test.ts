import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { GIT_TOKEN, startGitServer } from '../../support/fakes/git-server.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const UNKNOWN = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const server = await startGitServer();
const ENV = {
  NODE_EXTRA_CA_CERTS: server.caFile,
  CODE_HOST: server.host,
  CODE_HOST_TOKEN: GIT_TOKEN,
  CODE_HOST_ALLOW_PRIVATE: 'true',
  TMPDIR: await tempFolder(),
};
await server.addRepository('public/one', { 'README.md': '# The word is zanzibar\n' });
await server.addRepository('private/two', { 'secret.md': '# Private\n' });
const urlOf = (name: string) => `https://${server.host}/${name}.git`;

interface Workspace {
  id: string;
  name: string;
  rootPath: string;
}
let count = 0;

function clone(service: Service, url: string, rootPath = `clone-${++count}`) {
  return service.call<Workspace & { error: string }>('POST', '/api/git/clone', { url, rootPath });
}
function pull(service: Service, workspaceId: string) {
  return service.call<Record<string, unknown>>('POST', '/api/git/pull', { workspaceId });
}
function statusOf(service: Service, workspaceId: string) {
  return service.call<Record<string, unknown>>('GET', `/api/git/status?workspaceId=${workspaceId}`);
}
/** Returns the entries of the root except the workspaces, which are empty once all work is done. */
async function leftovers(service: Service): Promise<string[]> {
  return (await readdir(service.root)).filter((name) => name.startsWith('.'));
}

const WITHOUT = { PATH: '/nonexistent' };
const [open, without, guarded] = await Promise.all([
  startService({ ...ENV, LOG_LEVEL: 'debug' }),
  startService({ ...ENV, ...WITHOUT, LOG_LEVEL: 'debug' }),
  startService({ ...ENV, CODE_HOST: 'github.com', CODE_HOST_ALLOW_PRIVATE: 'false' }),
]);

describe.each([
  ['with the Git program', {}, open],
  ['without the Git program', WITHOUT, without],
])('Git API %s', (_how, more, service) => {
  it('clones, returns the status, and pulls, and updates the index and the activity', async () => {
    await server.addRepository(`public/whole${count}`, { 'a.txt': 'zanzibar' });
    const name = `public/whole${count}`;
    const { status, body } = await clone(service, urlOf(name), 'papers/whole');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'whole',
      rootPath: join(service.root, 'papers/whole'),
      createdAt: expect.any(String),
    });
    const counts = { branches: ['main'], canPush: true, hasUpstream: true, ahead: 0, behind: 0 };
    const clean = { isGitRepo: true, branch: 'main', clean: true, modified: [], ...counts };
    expect((await statusOf(service, body.id)).body).toEqual(clean);
    const to = await server.commit(name, { 'b.txt': 'quetzal' });
    const pulled = await pull(service, body.id);
    expect(pulled).toMatchObject({ status: 200, body: { branch: 'main', to, changedFiles: 1 } });
    expect(await readFile(join(body.rootPath, 'b.txt'), 'utf8')).toBe('quetzal');
    await writeFile(join(body.rootPath, 'c.txt'), 'mine');
    const modified = [{ path: 'c.txt', status: 'untracked', staged: false, unstaged: true }];
    expect((await statusOf(service, body.id)).body).toEqual({ ...clean, clean: false, modified });
    for (const word of ['zanzibar', 'quetzal'])
      await eventually(
        () => service.call<unknown[]>('GET', `/api/workspaces/${body.id}/search?q=${word}`),
        (found) => found.body.length > 0,
      );
    const activity = await service.call<{ kind: string }[]>('GET', `/api/workspaces/${body.id}/activity`);
    expect(activity.body.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['git_pulled', 'git_cloned']),
    );
    expect(await leftovers(service)).toEqual([]);
  });

  it('opens a private repository, without leaving the token in a file, log, or response', async () => {
    const { status, body } = await clone(service, urlOf('private/two'));
    expect(status).toBe(201);
    expect(await readFile(join(body.rootPath, 'secret.md'), 'utf8')).toBe('# Private\n');
    const refused = await clone(service, `https://localhost:${server.port}/private/two.git`);
    expect(refused.status).toBe(502);
    expect(refused.body.error).toMatch(/private/);
    const files = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
    const bytes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
    );
    const encoded = Buffer.from(`x-access-token:${GIT_TOKEN}`).toString('base64');
    const everything = [...bytes, service.output(), refused.bytes.toString()].join('\n');
    expect(everything).not.toContain(GIT_TOKEN);
    expect(everything).not.toContain(encoded);
  });

  it('pulls a private repository that it cloned, and no other repository that the clone names', async () => {
    const [own, other] = [`private/own${count}`, `private/other${count}`];
    const files = { 'secret.md': 'alpha' };
    await Promise.all([own, other].map((name) => server.addRepository(name, files)));
    const { id, rootPath } = (await clone(service, urlOf(own))).body;
    await Promise.all([own, other].map((name) => server.commit(name, { 'secret.md': 'beta' })));
    const config = join(rootPath, '.git/config');
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replace(urlOf(own), urlOf(other)));
    server.requests.length = 0;
    const refused = await pull(service, id);
    expect([refused.status, refused.body.error]).toEqual([502, expect.stringContaining('private')]);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
    await writeFile(config, text);
    expect((await pull(service, id)).body).toMatchObject({ changedFiles: 1 });
  });

  it('forgets the origin of a clone with its workspace', async () => {
    const name = `private/forgotten${count}`;
    await server.addRepository(name, { 'secret.md': 'alpha' });
    const { id, rootPath } = (await clone(service, urlOf(name))).body;
    expect((await pull(service, id)).status).toBe(200);
    expect((await service.call('DELETE', `/api/workspaces/${id}`)).status).toBe(200);
    const again = await service.call<Workspace>('POST', '/api/workspaces', { path: rootPath });
    expect(again.status).toBe(201);
    expect((await pull(service, again.body.id)).status).toBe(502);
    const database = openDatabase(service.dataDir);
    const left = await sqliteRecords(database).query({ partition: `CLONE#${id}` });
    database.close();
    expect(left.records).toEqual([]);
  });

  it('uses a token of the secret store', async () => {
    const { CODE_HOST_TOKEN: _, ...env } = ENV;
    const stored = await startService({ ...env, ...more });
    expect((await clone(stored, urlOf('private/two'))).status).toBe(502);
    await writeFile(join(stored.dataDir, 'secrets.json'), JSON.stringify({ CODE_HOST_TOKEN: GIT_TOKEN }), {
      mode: 0o600,
    });
    expect((await clone(stored, urlOf('private/two'))).status).toBe(201);
    await stored.kill();
  });

  it('leaves no files of a clone that fails or is killed, after the next cleanup', async () => {
    const killed = await startService({ ...ENV, ...more });
    expect((await clone(killed, urlOf('public/none'), 'gone')).status).toBe(502);
    expect(await readdir(killed.root)).toEqual([]);
    server.stall = true;
    server.requests.length = 0;
    const cut = clone(killed, urlOf('public/one'), 'cut').catch(() => undefined);
    await eventually(
      async () => server.requests,
      (requests) => requests.some(({ path }) => path.endsWith('/git-upload-pack')),
    );
    expect(await leftovers(killed)).toHaveLength(1);
    await killed.kill();
    server.stall = false;
    await cut;
    expect(await readdir(killed.root)).toHaveLength(1); // the temporary folder, but not the target
    const again = await startService({ ...ENV, ...more, DATA_DIR: killed.dataDir });
    expect((await clone(again, urlOf('public/one'), 'cut')).status).toBe(201);
    expect((await again.call<Workspace[]>('GET', '/api/workspaces')).body).toHaveLength(1);
    await again.kill();
  });

  it('gives a directory to one of five concurrent clones', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => clone(service, urlOf('public/one'), 'race')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await readdir(join(service.root, 'race'))).toEqual(expect.arrayContaining(['.git', 'README.md']));
    expect(await leftovers(service)).toEqual([]);
  });
});

describe('POST /api/git/clone', () => {
  it.each([
    ['no url', { rootPath: 'x' }, 400, 'url'],
    ['no rootPath', { url: urlOf('public/one') }, 400, 'rootPath'],
    ['an unknown field', { url: urlOf('public/one'), rootPath: 'x', branch: 'main' }, 400, 'branch'],
    ['plain http', { url: 'http://example.org/a/b', rootPath: 'x' }, 400, 'url'],
    ['an option', { url: '--upload-pack=id', rootPath: 'x' }, 400, 'url'],
    ['a credential', { url: 'https://a:b@example.org/a/b', rootPath: 'x' }, 400, 'url'],
    ['a path outside the roots', { url: urlOf('public/one'), rootPath: '/etc/x' }, 400, 'rootPath'],
    ['a path with traversal', { url: urlOf('public/one'), rootPath: '../x' }, 400, 'rootPath'],
    ['an empty path', { url: urlOf('public/one'), rootPath: '' }, 400, 'rootPath'],
    ['the root itself', { url: urlOf('public/one'), rootPath: '.' }, 400, 'rootPath'],
  ])('rejects %s', async (_what, body, status, word) => {
    const answer = await guarded.call<{ error: string }>('POST', '/api/git/clone', body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(word);
  });

  it.each([
    'https://127.0.0.1/a/b',
    'https://localhost/a/b',
    'https://169.254.169.254/a',
    'https://10.0.0.1/a',
    urlOf('public/one'),
  ])('rejects %s, which is a private address', async (url) => {
    const answer = await clone(guarded, url);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(/^url must /);
    expect(await readdir(guarded.root)).toEqual([]);
  });

  it('returns 409 for a non-empty directory, and for one inside or around a workspace', async () => {
    await mkdir(join(open.root, 'full'));
    await writeFile(join(open.root, 'full/a.txt'), 'a');
    expect((await clone(open, urlOf('public/one'), 'full')).status).toBe(409);
    const { body } = await clone(open, urlOf('public/one'), 'taken/deep');
    expect((await clone(open, urlOf('public/one'), 'taken/deep')).status).toBe(409);
    expect((await clone(open, urlOf('public/one'), 'taken/deep/er')).status).toBe(409);
    expect((await clone(open, urlOf('public/one'), 'taken')).status).toBe(409);
    expect((await statusOf(open, body.id)).body).toMatchObject({ clean: true });
  });

  it('fills an empty workspace', async () => {
    const made = await open.call<Workspace>('POST', '/api/workspaces', { path: 'empty' });
    expect((await clone(open, urlOf('public/one'), 'empty')).body.id).toBe(made.body.id);
  });

  it('removes no recent temporary folder', async () => {
    const name = (last: string) => `.wrs-00000000-0000-4000-8000-00000000000${last}.tmp`;
    await mkdir(join(open.root, name('1')));
    await utimes(join(open.root, name('1')), 0, 0);
    await clone(open, urlOf('public/one'));
    // The entry's own time decides, which can't be set back.
    expect(await readdir(open.root)).toContain(name('1'));
  });
});

describe('POST /api/git/pull and GET /api/git/status', () => {
  it('recognize a folder without a repository', async () => {
    const made = await open.call<Workspace>('POST', '/api/workspaces', { path: 'plain' });
    const { id, rootPath } = made.body;
    const counts = { branches: [], canPush: false, hasUpstream: false, ahead: 0, behind: 0 };
    const none = { isGitRepo: false, branch: null, clean: true, modified: [], ...counts };
    expect((await statusOf(open, id)).body).toEqual(none);
    expect((await pull(open, id)).status).toBe(409);
    await symlink('/', join(rootPath, '.git'));
    expect((await statusOf(open, id)).body).toEqual(none);
  });

  it('return 409 for conflicting local changes', async () => {
    await server.addRepository('public/local', { 'a.txt': 'a' });
    const { body } = await clone(open, urlOf('public/local'));
    await server.commit('public/local', { 'a.txt': 'theirs' });
    await open.call('POST', '/api/files/write', { workspaceId: body.id, path: 'a.txt', content: 'mine' });
    const { status, body: refusal } = await pull(open, body.id);
    expect([status, refusal.error]).toEqual([409, expect.stringContaining('local changes')]);
  });

  it.each([
    ['an unknown workspace', { workspaceId: UNKNOWN }, 404],
    ['no workspace', {}, 400],
    ['an unknown field', { workspaceId: UNKNOWN, force: true }, 400],
  ])('reject %s', async (_what, body, status) => {
    expect((await open.call('POST', '/api/git/pull', body)).status).toBe(status);
  });
  it('reject the status of an unknown workspace, and a missing one', async () => {
    expect((await statusOf(open, UNKNOWN)).status).toBe(404);
    expect((await open.call('GET', '/api/git/status')).status).toBe(400);
  });
});

import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { startFakeS3 } from '../../support/fakes/fake-s3.ts';
import { startFakeWebdav } from '../../support/fakes/fake-webdav.ts';
import { type FakeZotero, fillLibrary, startFakeZotero } from '../../support/fakes/fake-zotero.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { makeWorkspace } from '../../support/workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
type Loose = any;

let service: Service;
let admin: TestCaller;
let fake: FakeZotero;
let webdav: Awaited<ReturnType<typeof startFakeWebdav>>;
let s3: Awaited<ReturnType<typeof startFakeS3>>;

beforeAll(async () => {
  fake = await startFakeZotero();
  fillLibrary(fake, 12);
  [webdav, s3] = [await startFakeWebdav(), await startFakeS3()];
  const hosts = [webdav, s3].map(({ url }) => new URL(url).host).join(',');
  service = await startService({
    ...{
      AUTH_MODE: 'token',
      ZOTERO_BASE_URL: fake.url,
      SOURCE_PRIVATE_HOSTS: hosts,
      EMBEDDING_MODEL: 'none',
    },
  });
  admin = await makeCaller(service, 'admin');
});

/** Makes a workspace with a source, which isn't synced yet. */
async function makeSource(fields: Loose = {}) {
  const workspace = await makeWorkspace(admin, `library-${randomUUID()}`);
  const path = `/api/workspaces/${workspace.id}/sources`;
  const body = { name: 'Zotero', kind: 'zotero', config: { apiKey: fake.apiKey }, ...fields };
  const created = await admin.call<Loose>('POST', path, body);
  return { workspace, created, path: `${path}/${created.body.id}` };
}

async function untilSynced(path: string): Promise<Loose> {
  const found = await eventually(
    async () => (await admin.call<Loose>('GET', path)).body,
    ({ lastRun }) => lastRun?.finishedAt != null,
  );
  return found.lastRun;
}

async function sync(path: string): Promise<Loose> {
  expect((await admin.call('POST', `${path}/sync`)).status).toBe(202);
  return untilSynced(path);
}

describe('/api/workspaces/{workspaceId}/sources', () => {
  it('syncs a library, whose files are found by title, author, tag, and source, and are cited with their URL', async () => {
    const { workspace, created, path } = await makeSource();
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'Zotero',
        path: 'sources/Zotero',
        config: { userId: 4711, userName: 'ann' },
        lastRun: null,
      },
    });
    expect(JSON.stringify(created.body)).not.toContain(fake.apiKey);
    expect(await sync(path)).toMatchObject({ status: 'success', counts: { added: 15 } });
    await writeFile(join(workspace.root, 'owl.txt'), 'The owl number 3 nests in a box.');
    await syncWorkspace(admin, workspace.id);
    const search = async (filter: Loose) => {
      const query = new URLSearchParams({ q: 'owl nests', k: '20', filter: JSON.stringify(filter) });
      return (await admin.call<Loose[]>('GET', `/api/workspaces/${workspace.id}/search?${query}`)).body;
    };
    const [found] = await search({ author: 'Strix3' });
    expect(found).toMatchObject({
      ...{ path: 'sources/Zotero/Birds 3/Owls/Owl 3.pdf', title: 'Nests of owl 3', authors: ['Ann Strix3'] },
      source: { url: 'https://www.zotero.org/users/4711/items/P0000003' },
    });
    const inSource = (await search({ source: 'zotero' })).map(({ path }: Loose) => path);
    expect(new Set(inSource).size).toBeGreaterThan(10);
    expect(inSource).not.toContain('owl.txt');
    expect(
      (await search({ source: 'zotero', tag: 'decade 1', year: { to: 1991 } })).map(({ year }) => year),
    ).toEqual([1991]);
    expect(await search({ source: 'other' })).toEqual([]);
    const query = new URLSearchParams({ workspaceId: workspace.id, path: found.path });
    const provenance = await admin.call<Loose>('GET', `/api/files/provenance?${query}`);
    expect(provenance.body).toMatchObject({
      sourceId: created.body.id,
      kind: 'zotero',
      title: 'Nests of owl 3',
    });
    const none = new URLSearchParams({ workspaceId: workspace.id, path: 'owl.txt' });
    expect(await admin.call('GET', `/api/files/provenance?${none}`)).toMatchObject({ status: 404 });
    const runs = await admin.call<Loose[]>('GET', `${path}/runs`);
    expect(runs.body).toMatchObject([{ trigger: 'manual', status: 'success', total: 15, done: 15 }]);
  });

  it('refuses a wrong key, a name that is taken or no folder name, and a key of another user', async () => {
    const { workspace, path } = await makeSource();
    const make = async (fields: Loose) => {
      const body = { name: 'Other', kind: 'zotero', config: { apiKey: fake.apiKey }, ...fields };
      const { status, headers } = await admin.call('POST', `/api/workspaces/${workspace.id}/sources`, body);
      return [status, headers['x-error-code'], headers['x-error-field']];
    };
    expect(await make({ config: { apiKey: 'WrongKey1234567' } })).toEqual([
      502,
      'source_access_denied',
      undefined,
    ]);
    expect(await make({ name: 'ZOTERO' })).toEqual([409, 'source_exists', 'name']);
    for (const name of ['..', 'a/b', '.x', 'web', 'Papers', ''])
      expect(await make({ name })).toEqual([400, 'invalid_value', 'name']);
    expect(await make({ kind: 'imap' })).toEqual([400, 'invalid_value', 'kind']);
    fake.userId = 4712;
    const changed = await admin.call('PATCH', path, { config: { apiKey: fake.apiKey } });
    fake.userId = 4711;
    expect(changed.headers['x-error-code']).toBe('source_user_differs');
  });

  it('connects a WebDAV folder and an S3 bucket, never returns their secrets, and takes other ones', async () => {
    for (const files of [webdav.files, s3.files])
      files.set('papers/owl.txt', Buffer.from('Owls nest in boxes.'));
    const { url, user, password } = webdav;
    const folder = await makeSource({ name: 'Cloud', kind: 'webdav', config: { url, user, password } });
    expect(folder.created).toMatchObject({ status: 201, body: { kind: 'webdav', config: { url, user } } });
    expect(await sync(folder.path)).toMatchObject({ status: 'success', counts: { added: 1 } });
    const keys = { accessKeyId: s3.accessKeyId, secretAccessKey: 'TheSecretOfOwls' };
    const place = { endpoint: s3.url, region: 'eu-central-1', bucket: 'owls', prefix: 'papers' };
    const bucket = await makeSource({ name: 'Bucket', kind: 's3', config: { ...place, ...keys } });
    expect(bucket.created.body.config).toEqual({ ...place, prefix: 'papers/', accessKeyId: s3.accessKeyId });
    expect(await sync(bucket.path)).toMatchObject({ status: 'success', counts: { added: 1 } });
    const query = new URLSearchParams({ workspaceId: bucket.workspace.id, path: 'sources/Bucket/owl.txt' });
    expect((await admin.call<Loose>('GET', `/api/files/provenance?${query}`)).body).toMatchObject({
      ...{ kind: 's3', url: `${s3.url}/owls/papers/owl.txt` },
    });
    const seen = [folder, bucket].map(({ created }) => JSON.stringify(created.body)).join();
    for (const secret of [password, keys.secretAccessKey]) expect(seen).not.toContain(secret);
    const change = (path: string, config: Loose) => admin.call<Loose>('PATCH', path, { config });
    webdav.password = 'another';
    expect(await change(folder.path, { password })).toMatchObject({ status: 502 });
    expect(await change(folder.path, { password: 'another' })).toMatchObject({ status: 200 });
    webdav.files.set('papers/new.txt', Buffer.from('new'));
    expect(await sync(folder.path)).toMatchObject({ status: 'success', counts: { added: 1 } });
    expect((await change(folder.path, { apiKey: 'AKeyOfZotero' })).headers['x-error-field']).toBe(
      'config.apiKey',
    );
    webdav.password = password;
  });

  it('refuses settings that are missing, of another kind, or lead to a private address', async () => {
    const { url, user, password } = webdav;
    const make = async (kind: string, config: Loose) => {
      const { created } = await makeSource({ name: 'Cloud', kind, config });
      return [created.status, created.headers['x-error-code'], created.headers['x-error-field']];
    };
    expect(await make('webdav', { url, user })).toEqual([400, 'missing_value', 'config.password']);
    expect(await make('webdav', { url, user, password, bucket: 'owls' })).toEqual([
      400,
      expect.any(String),
      expect.stringContaining('config'),
    ]);
    for (const [address, code] of [
      ['http://cloud.example.org/dav', 'invalid_value'],
      ['http://127.0.0.1:1/dav', 'invalid_value'],
      ['https://ann:secret@cloud.example.org/dav', 'invalid_value'],
      ['file:///etc', 'invalid_value'],
    ])
      expect(await make('webdav', { url: address, user, password })).toEqual([400, code, 'config.url']);
    for (const address of [
      'https://127.0.0.1:1/dav',
      'https://[::1]/dav',
      'https://169.254.169.254/',
      'https://nas.local/',
    ])
      expect(await make('webdav', { url: address, user, password })).toEqual([
        502,
        'source_failed',
        undefined,
      ]);
    expect(await make('webdav', { url: `${url}/none`, user, password })).toEqual([
      502,
      'source_access_denied',
      undefined,
    ]);
    const keys = { accessKeyId: 'WRONG', secretAccessKey: 'secret' };
    const place = { endpoint: s3.url, region: 'eu-central-1', bucket: 'owls' };
    expect(await make('s3', { ...place, ...keys })).toEqual([502, 'source_access_denied', undefined]);
    expect(await make('s3', { ...place, ...keys, bucket: '../x' })).toEqual([
      400,
      'invalid_value',
      'config.bucket',
    ]);
  });

  const isFile = (name: string) => /\.\w+$/.test(name);

  it('keeps files that were changed here when the source is deleted, or all of them', async () => {
    const { workspace, path } = await makeSource();
    await sync(path);
    const folder = join(workspace.root, 'sources/Zotero');
    await writeFile(join(folder, 'Birds 0/Owl 0.pdf'), 'mine');
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect((await admin.call('GET', path)).status).toBe(404);
    await eventually(
      // A folder may be deleted while it is listed.
      async () => (await readdir(folder, { recursive: true }).catch(() => [])).filter(isFile),
      (left) => left.length === 1,
    );
    expect(await readFile(join(folder, 'Birds 0/Owl 0.pdf'), 'utf8')).toBe('mine');
    const other = await makeSource();
    await sync(other.path);
    await admin.call('DELETE', `${other.path}?keepFiles=true`);
    const all = `/api/workspaces/${other.workspace.id}/sources`;
    const again = { name: 'Zotero', kind: 'zotero', config: { apiKey: fake.apiKey } };
    await eventually(
      async () => (await admin.call('POST', all, again)).status,
      (status) => status === 201,
    );
    expect(await readdir(join(other.workspace.root, 'sources/Zotero/Birds 0'))).toContain('Owl 0.pdf');
  });

  it('syncs by a scheduled task, which is deleted with the schedule', async () => {
    const { workspace, created, path } = await makeSource({ schedule: '0 6 * * *' });
    const { taskId } = created.body;
    expect(created.body).toMatchObject({ schedule: '0 6 * * *', taskId: expect.any(String) });
    const task = `/api/scheduled-tasks/${taskId}`;
    expect((await admin.call<Loose>('GET', task)).body).toMatchObject({
      ...{ taskType: 'source_sync', workspaceId: workspace.id, config: { sourceId: created.body.id } },
    });
    expect((await admin.call('POST', `${task}/run`)).status).toBe(202);
    expect(await untilSynced(path)).toMatchObject({
      status: 'success',
      trigger: 'schedule',
      counts: { added: 15 },
    });
    const [run] = await eventually(
      async () => (await admin.call<Loose[]>('GET', `${task}/runs`)).body,
      ([run]) => run.finishedAt !== null,
    );
    expect(run).toMatchObject({ status: 'success', summary: expect.stringContaining('15 new') });
    expect((await admin.call<Loose>('PATCH', path, { schedule: null })).body).toMatchObject({
      schedule: null,
    });
    expect((await admin.call('GET', task)).status).toBe(404);
  });
});

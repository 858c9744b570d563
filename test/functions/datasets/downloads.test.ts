import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DescribedDataset, Preview } from '../../../lib/datasets/schema.ts';
import { fakeFile, fakeRepo, startFakeHub, textFile } from '../../support/fakes/fake-hub.ts';
import { startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const rows = Array.from({ length: 30 }, (_, id) => `${JSON.stringify({ id })}\n`).join('');
const slow = fakeRepo([fakeFile('big.bin', 40_000_000)]);
slow.faults.set('big.bin', { paceMs: 100 });
const hub = await startFakeHub({
  'org/small': fakeRepo([textFile('data/train.jsonl', rows), textFile('README.md', '# Small')]),
  'org/slow': slow,
  'org/gated': fakeRepo([], { token: 'secret', gated: true }),
});
whenDone(() => hub.stop());
const service = await startService({ HUB_A_BASE_URL: hub.url, HUB_B_BASE_URL: hub.url });

function create(body: Record<string, unknown>) {
  return service.call<DescribedDataset>('POST', '/api/datasets', body);
}
function call(id: string, what: string) {
  return service.call<DescribedDataset>('POST', `/api/datasets/${id}/${what}`);
}
async function read(id: string) {
  return (await service.call<DescribedDataset>('GET', `/api/datasets/${id}`)).body;
}
function reach(id: string, ...states: string[]) {
  return eventually(
    () => read(id),
    ({ status }) => states.includes(status),
  );
}

describe('dataset download', () => {
  it('goes from pending to ready, with manifest, preview, and files', async () => {
    const { status, body } = await create({ repoId: 'org/small' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'small',
      repoId: 'org/small',
      repoType: 'dataset',
      source: 'hub_a',
      revision: 'main',
      status: 'pending',
      phase: 'queued',
      progress: 0,
      manifest: null,
    });
    const ready = await reach(body.id, 'ready', 'failed');
    expect(ready).toMatchObject({
      status: 'ready',
      phase: 'done',
      progress: 100,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      downloadedFiles: 2,
      error: null,
      stats: { numFiles: 2, splits: { train: { numFiles: 1, numRows: 30 } } },
    });
    expect(ready.manifest?.commit).toBe(ready.commit);
    const preview = await service.call<Preview>('GET', `/api/datasets/${body.id}/preview?n=2`);
    expect(preview.body).toMatchObject({ rows: [{ id: 0 }, { id: 1 }], totalRows: 30 });
  });

  it('is invisible in a workspace until it is ready', async () => {
    const workspace = await makeWorkspace(service);
    const { id } = (await create({ repoId: 'org/slow', name: 'later' })).body;
    const link = await service.call('POST', `/api/datasets/${id}/workspaces`, { workspaceId: workspace.id });
    expect(link.status).toBe(201);
    const browse = () => service.call('GET', `/api/files/browse?workspaceId=${workspace.id}&path=`);
    expect((await browse()).body).toEqual([]);
    const body = { workspaceId: workspace.id, path: 'datasets/later/x', content: '' };
    expect((await service.call('POST', '/api/files/write', body)).status).toBe(403);
    await service.call('DELETE', `/api/datasets/${id}?deleteFiles=true`);
  });

  it('is paused, retried, canceled, and deleted, and rejects other calls with the name of its state', async () => {
    const { id, localPath } = (await create({ repoId: 'org/slow' })).body;
    await reach(id, 'downloading');
    for (const what of ['retry', 'refresh']) expect((await call(id, what)).status).toBe(409);
    expect(await call(id, 'pause')).toMatchObject({
      status: 200,
      body: { status: 'paused', etaSeconds: null },
    });
    for (const what of ['pause', 'cancel', 'refresh'])
      expect(await call(id, what)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('The dataset is paused.') },
      });
    expect((await service.call('GET', `/api/datasets/${id}/preview`)).status).toBe(409);
    expect(await call(id, 'retry')).toMatchObject({
      status: 200,
      body: { status: 'pending', phase: 'queued' },
    });
    await reach(id, 'downloading');
    expect(await call(id, 'cancel')).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await mkdir(localPath, { recursive: true });
    await writeFile(join(localPath, 'x'), '');
    expect((await service.call('DELETE', `/api/datasets/${id}?deleteFiles=true`)).status).toBe(200);
    await expect(access(dirname(localPath))).rejects.toThrow('ENOENT');
    expect((await service.call('GET', `/api/datasets/${id}/status`)).status).toBe(404);
  });

  it("keeps its files without deleteFiles, and always keeps its duplicate's files", async () => {
    const [one, two] = [
      (await create({ repoId: 'org/small' })).body,
      (await create({ repoId: 'org/small' })).body,
    ];
    await Promise.all([reach(one.id, 'ready'), reach(two.id, 'ready')]);
    await service.call('DELETE', `/api/datasets/${one.id}?deleteFiles=true`);
    await access(join(two.localPath, 'README.md'));
    await service.call('DELETE', `/api/datasets/${two.id}`);
    await access(join(two.localPath, 'README.md'));
  });

  it('fails for a missing repository, with the reason', async () => {
    const { id } = (await create({ repoId: 'org/missing' })).body;
    expect(await reach(id, 'failed', 'ready')).toMatchObject({ status: 'failed', error: expect.any(String) });
  });
});

describe('repository info', () => {
  const info = (hubName: string, query: string) => service.call('GET', `/api/datasets/${hubName}?${query}`);

  it.each(['repo-info', 'modelscope-info'])('%s describes a repository', async (name) => {
    expect(await info(name, 'repoId=org/small&repoType=dataset')).toMatchObject({
      status: 200,
      body: { repoId: 'org/small', repoType: 'dataset', gated: false, revisions: expect.any(Array) },
    });
    expect((await info(name, 'repoId=org/missing')).status).toBe(404);
  });

  it.each([
    ['repo-info', ''],
    ['repo-info', 'repoId=../x'],
    ['repo-info', 'repoId=a/b/c'],
    ['repo-info', 'repoId=org/small&repoType=film'],
    ['modelscope-info', 'repoId=org/small&repoType=space'],
  ])('%s?%s is rejected', async (name, query) => {
    const { status, body } = await info(name, query);
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringMatching(/^repo(Id|Type) /) });
  });
});

describe('POST /api/datasets', () => {
  it.each([
    [{}, 'repoId'],
    [{ repoId: 7 }, 'repoId'],
    [{ repoId: 'a b/c' }, 'repoId'],
    [{ repoId: '../../etc' }, 'repoId'],
    [{ repoId: 'a/b/c' }, 'repoId'],
    [{ repoId: 'a/..' }, 'repoId'],
    [{ repoId: 'a/b', repoType: 'film' }, 'repoType'],
    [{ repoId: 'a/b', repoType: 'space', source: 'hub_b' }, 'repoType'],
    [{ repoId: 'a/b', source: 'local' }, 'source'],
    [{ repoId: 'a/b', revision: '../x' }, 'revision'],
    [{ repoId: 'a/b', revision: '' }, 'revision'],
    [{ repoId: 'a/b', name: 'a/b' }, 'name'],
    [{ repoId: 'a/b', name: '..' }, 'name'],
    [{ repoId: 'a/b', name: ' ' }, 'name'],
    [{ repoId: 'a/b', name: 'é'.repeat(200) }, 'name'],
    [{ repoId: 'a/b', allowPatterns: '*' }, 'allowPatterns'],
    [{ repoId: 'a/b', ignorePatterns: [''] }, 'ignorePatterns'],
    [{ repoId: 'a/b', alowPatterns: [] }, 'alowPatterns'],
  ])('rejects %j', async (body, field) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(field) });
  });

  it.each([
    [{}, 'localPath'],
    [{ localPath: '' }, 'localPath'],
    [{ localPath: 'x', name: 'a/b' }, 'name'],
    [{ localPath: 'x', path: 'y' }, 'path'],
  ])('rejects for import-local %j', async (body, field) => {
    const answer = await service.call('POST', '/api/datasets/import-local', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(field) });
  });
});

describe('unknown dataset', () => {
  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/status'],
    ['POST', '/pause'],
    ['POST', '/cancel'],
    ['POST', '/retry'],
    ['POST', '/refresh'],
    ['GET', '/preview'],
    ['GET', '/workspaces'],
  ])('returns 404: %s %s', async (method, what) => {
    expect(await service.call(method, `/api/datasets/nope${what}`)).toMatchObject({
      status: 404,
      body: { error: 'This dataset does not exist.' },
    });
  });

  it("doesn't hide an invalid query", async () => {
    expect((await service.call('DELETE', '/api/datasets/nope?deleteFiles=yes')).status).toBe(400);
    expect((await service.call('PUT', '/api/datasets/nope', {})).status).toBe(405);
  });
});

import { access, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DescribedDataset } from '../../../lib/datasets/schema.ts';
import type { Entry, FileContent } from '../../../lib/files/schema.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const service = await startService();
let made = 0;

/** Creates a ready dataset with a text file and a unique name. */
async function makeDataset(name = `set-${++made}`): Promise<DescribedDataset> {
  const folder = join(service.root, `source-${++made}`);
  await mkdir(join(folder, 'sub'), { recursive: true });
  await writeFile(join(folder, 'train.jsonl'), '{"word":"okapi"}\n');
  await writeFile(join(folder, 'sub/notes.md'), `The quagga of ${name} lives here.\n`);
  const body = { localPath: folder, name };
  return (await service.call<DescribedDataset>('POST', '/api/datasets/import-local', body)).body;
}

function link(datasetId: string, workspaceId: string) {
  return service.call('POST', `/api/datasets/${datasetId}/workspaces`, { workspaceId });
}

function unlink(datasetId: string, workspaceId: string) {
  return service.call('DELETE', `/api/datasets/${datasetId}/workspaces?workspaceId=${workspaceId}`);
}

function get<Body>({ id }: TestWorkspace, what: string, path: string, by: Pick<Service, 'call'> = service) {
  return by.call<Body>('GET', `/api/files/${what}?workspaceId=${id}&path=${encodeURIComponent(path)}`);
}

async function linked() {
  const [dataset, workspace] = [await makeDataset(), await makeWorkspace(service)];
  expect((await link(dataset.id, workspace.id)).status).toBe(201);
  return { dataset, workspace, at: `datasets/${dataset.name}` };
}

const names = ({ body }: { body: Entry[] }) => body.map(({ name }) => name);

describe('dataset link', () => {
  it('is created once, listed, and removed', async () => {
    const [dataset, workspace] = [await makeDataset(), await makeWorkspace(service)];
    const first = await link(dataset.id, workspace.id);
    expect(first).toMatchObject({
      status: 201,
      body: { workspaceId: workspace.id, rootPath: workspace.root, linkedAt: expect.any(String) },
    });
    expect(await link(dataset.id, workspace.id)).toMatchObject({ status: 200, body: first.body });
    const list = () => service.call('GET', `/api/datasets/${dataset.id}/workspaces`);
    expect((await list()).body).toEqual([first.body]);
    expect(await unlink(dataset.id, workspace.id)).toMatchObject({ status: 200, body: { success: true } });
    expect((await unlink(dataset.id, workspace.id)).status).toBe(404);
    expect((await list()).body).toEqual([]);
  });

  it('is rejected if the name is taken, or for a missing dataset', async () => {
    const { dataset, workspace } = await linked();
    const twin = await makeDataset(dataset.name);
    expect((await link(twin.id, workspace.id)).status).toBe(409);
    const own = await makeWorkspace(service);
    await mkdir(join(own.root, 'datasets', dataset.name), { recursive: true });
    expect((await link(dataset.id, own.id)).status).toBe(409);
    expect((await link(dataset.id, 'nowhere')).status).toBe(404);
    expect((await link('nothing', workspace.id)).status).toBe(404);
    expect((await service.call('POST', `/api/datasets/${dataset.id}/workspaces`, {})).status).toBe(400);
    expect((await service.call('DELETE', `/api/datasets/${dataset.id}/workspaces`)).status).toBe(400);
  });

  it('is created for one of twenty datasets with the same name', async () => {
    const workspace = await makeWorkspace(service);
    const twins = await Promise.all(Array.from({ length: 8 }, () => makeDataset('same-name')));
    const answers = await Promise.all(twins.map(({ id }) => link(id, workspace.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('is deleted with its workspace, and with its dataset, which frees its name', async () => {
    const { dataset, workspace, at } = await linked();
    const other = await makeWorkspace(service);
    await link(dataset.id, other.id);
    await service.call('DELETE', `/api/workspaces/${other.id}`);
    const left = await service.call<{ workspaceId: string }[]>(
      'GET',
      `/api/datasets/${dataset.id}/workspaces`,
    );
    expect(left.body.map(({ workspaceId }) => workspaceId)).toEqual([workspace.id]);
    await service.call('DELETE', `/api/datasets/${dataset.id}?deleteFiles=true`);
    expect((await get(workspace, 'browse', at)).status).toBe(404);
    await access(dataset.localPath);
    expect((await link((await makeDataset(dataset.name)).id, workspace.id)).status).toBe(201);
  });
});

describe('linked dataset in the files', () => {
  it("is listed and read as datasets/<name>, next to the workspace's own files there", async () => {
    const { dataset, workspace, at } = await linked();
    expect(names(await get<Entry[]>(workspace, 'browse', ''))).toEqual(['datasets']);
    await mkdir(join(workspace.root, 'datasets/own'), { recursive: true });
    await writeFile(join(workspace.root, 'datasets/a.txt'), 'mine');
    expect(names(await get<Entry[]>(workspace, 'browse', 'datasets'))).toEqual([
      'own',
      dataset.name,
      'a.txt',
    ]);
    expect(names(await get<Entry[]>(workspace, 'browse', ''))).toEqual(['datasets']);
    expect((await get<Entry[]>(workspace, 'browse', at)).body).toMatchObject([
      { name: 'sub', path: `${at}/sub`, type: 'directory' },
      { name: 'train.jsonl', path: `${at}/train.jsonl`, size: 17 },
    ]);
    expect((await get<FileContent>(workspace, 'read', `${at}//sub/./notes.md`)).body).toMatchObject({
      path: `${at}/sub/notes.md`,
      content: `The quagga of ${dataset.name} lives here.\n`,
    });
    expect((await get(workspace, 'raw', `${at}/train.jsonl`)).body).toBe('{"word":"okapi"}\n');
    expect((await get(workspace, 'read', 'datasets/a.txt')).status).toBe(200);
    expect((await get(await makeWorkspace(service), 'read', `${at}/train.jsonl`)).status).toBe(404);
  });

  it('gives no access to anything outside it', async () => {
    const { dataset, workspace, at } = await linked();
    await symlink('/etc', join(dataset.localPath, 'etc'));
    await symlink(service.root, join(dataset.localPath, 'root'));
    for (const path of [`${at}/etc/passwd`, `${at}/root`, `${at}/../../x`, `${at}/..`])
      expect((await get(workspace, 'read', path)).status).toBe(400);
    expect(names(await get<Entry[]>(workspace, 'browse', at))).toEqual(['sub', 'train.jsonl']);
  });

  it('is inaccessible if a link replaced its directory', async () => {
    const { dataset, workspace, at } = await linked();
    await rm(dataset.localPath, { recursive: true });
    await symlink('/etc', dataset.localPath);
    expect((await get(workspace, 'read', `${at}/passwd`)).status).toBe(404);
    expect((await get(workspace, 'browse', at)).status).toBe(404);
    expect((await service.call('GET', `/api/datasets/${dataset.id}/preview`)).status).toBe(409);
    expect((await service.call('POST', `/api/datasets/${dataset.id}/refresh`)).status).toBe(409);
  });

  it.each([
    ['write', 'POST', (at: string) => ({ path: `${at}/new.txt`, content: '' })],
    ['write in its place', 'POST', (at: string) => ({ path: at, content: '' })],
    ['write', 'POST', (at: string) => ({ path: `./${at}/train.jsonl`, content: 'x' })],
    ['delete', 'DELETE', (at: string) => ({ path: `${at}/train.jsonl` })],
    ['delete', 'DELETE', (at: string) => ({ path: at })],
    ['mkdir', 'POST', (at: string) => ({ path: `${at}/new` })],
    ['rename', 'POST', (at: string) => ({ oldPath: `${at}/sub`, newPath: 'sub' })],
    ['rename', 'POST', (at: string) => ({ oldPath: 'x.txt', newPath: `${at}/x.txt`, overwrite: true })],
    ['uploads', 'POST', (at: string) => ({ path: `${at}/large.bin`, size: 1 })],
  ])('is read-only: %s (%s)', async (what, method, fields) => {
    const { dataset, workspace, at } = await linked();
    await writeFile(join(workspace.root, 'x.txt'), '');
    const body = { workspaceId: workspace.id, ...fields(at) };
    expect(await service.call(method, `/api/files/${what.split(' ')[0]}`, body)).toMatchObject({
      status: 403,
      body: {
        error: expect.stringMatching(/^(path|oldPath|newPath) is in a linked dataset, which is read-only\.$/),
      },
    });
    await access(join(dataset.localPath, 'train.jsonl'));
  });

  it('is read-only for uploads, even if only the file name leads there', async () => {
    const { dataset, workspace, at } = await linked();
    for (const [path, name] of [
      [`${at}/`, 'a.txt'],
      ['datasets/', dataset.name],
    ] as const) {
      const form = new FormData();
      form.append('workspaceId', workspace.id);
      form.append('path', path);
      form.append('file', new Blob(['x']), name);
      expect((await service.call('POST', '/api/files/upload', form)).status).toBe(403);
    }
  });
});

describe('linked dataset in the index', () => {
  const search = async ({ id }: TestWorkspace, q: string) => {
    const found = await service.call<{ path: string }[]>('GET', `/api/workspaces/${id}/search?q=${q}`);
    return found.body.map(({ path }) => path);
  };

  it('is found after linking, survives a sync, and is removed after unlinking', async () => {
    const { dataset, workspace, at } = await linked();
    const found = () => search(workspace, 'quagga');
    expect(await eventually(found, (paths) => paths.length > 0)).toEqual([`${at}/sub/notes.md`]);
    expect(await syncWorkspace(service, workspace.id)).toMatchObject({ status: 'ready', removedCount: 0 });
    expect(await found()).toEqual([`${at}/sub/notes.md`]);
    await writeFile(join(dataset.localPath, 'sub/more.md'), 'Another quagga.');
    await service.call('POST', `/api/datasets/${dataset.id}/refresh`);
    expect(await eventually(found, (paths) => paths.length > 1)).toHaveLength(2);
    await unlink(dataset.id, workspace.id);
    expect(await eventually(found, (paths) => paths.length === 0)).toEqual([]);
  });
});

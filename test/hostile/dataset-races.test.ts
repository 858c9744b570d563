import { lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { HOSTILE_MS, startSwapping } from '../support/processes/swapper.ts';
import { type Service, startService } from '../support/service.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';

const SECRET = 'the secret of somebody else';
const service = await startService();

/**
 * Creates a workspace with its folder `deep/data` linked as `datasets/mine`, and a link to another folder at
 * `.link`.
 */
async function linked(by: Service) {
  const { id, root } = await makeWorkspace(by);
  await mkdir(join(root, 'deep/data'), { recursive: true });
  await writeFile(join(root, 'deep/data/train.csv'), 'text\nmine\n');
  const outside = await tempFolder();
  await mkdir(join(outside, 'data'));
  for (const folder of [outside, join(outside, 'data')])
    await writeFile(join(folder, 'train.csv'), `text\n${SECRET}\n`);
  await symlink(outside, join(root, '.link'));
  const localPath = join(root, 'deep/data');
  const { body } = await by.call<{ id: string }>('POST', '/api/datasets/import-local', {
    localPath,
    name: 'mine',
  });
  await by.call('POST', `/api/datasets/${body.id}/workspaces`, { workspaceId: id });
  return { id, root, outside, datasetId: body.id };
}

/** Moves the folder back from wherever the last swap left it. */
async function putBack(folder: string, link: string): Promise<void> {
  for (const path of [folder, link, `${link}.aside`]) {
    const isFolder = (await lstat(path).catch(() => undefined))?.isDirectory();
    if (!isFolder) continue;
    if (path !== folder) await rm(folder, { force: true });
    return rename(path, folder);
  }
}

const READS: [
  string,
  (place: { id: string; root: string; datasetId: string }) => Promise<{ bytes: Buffer; status: number }>,
][] = [
  [
    'files/raw',
    ({ id }) => service.call('GET', `/api/files/raw?workspaceId=${id}&path=datasets/mine/train.csv`),
  ],
  ['files/browse', ({ id }) => service.call('GET', `/api/files/browse?workspaceId=${id}&path=datasets/mine`)],
  ['preview', ({ datasetId }) => service.call('GET', `/api/datasets/${datasetId}/preview?split=train`)],
  ['refresh', ({ datasetId }) => service.call('POST', `/api/datasets/${datasetId}/refresh`)],
  [
    'terminal/exec',
    ({ root }) =>
      service.call('POST', '/api/terminal/exec', {
        cwd: root,
        command: 'cat datasets/mine/*; ls datasets/mine',
      }),
  ],
];

describe('swapping the folder of a linked dataset with a link', () => {
  it.each(['deep/data', 'deep'])('exposes nothing of another folder: %s', async (folder) => {
    const place = await linked(service);
    const swapping = await startSwapping([[join(place.root, folder), join(place.root, '.link')]]);
    const end = Date.now() + HOSTILE_MS * 2;
    const seen = new Map<string, Set<number>>();
    for (let round = 0; round < 3 || Date.now() < end; round++)
      for (const [name, read] of READS) {
        const { bytes, status } = await read(place);
        seen.set(name, (seen.get(name) ?? new Set()).add(status));
        expect([name, bytes.toString().includes(SECRET)]).toEqual([name, false]);
        expect([name, bytes.toString().includes(place.outside)]).toEqual([name, false]);
      }
    await swapping.stop();
    expect([...seen.values()].some((statuses) => statuses.has(200))).toBe(true);
    expect([...seen].filter(([, statuses]) => [...statuses].some((status) => status >= 500))).toEqual([]);
    await putBack(join(place.root, folder), join(place.root, '.link'));
    for (const [name, read] of READS) expect([name, (await read(place)).status]).toEqual([name, 200]);
  });

  it('lets no command create a folder outside for its mount', async () => {
    const place = await linked(service);
    await mkdir(join(place.root, 'datasets'), { recursive: true });
    await writeFile(join(place.root, 'datasets/keep.md'), 'kept');
    const before = await readdir(place.outside);
    const seen = new Set<number>();
    const swapping = await startSwapping([[join(place.root, 'datasets'), join(place.root, '.link')]]);
    const end = Date.now() + HOSTILE_MS * 2;
    for (let round = 0; round < 3 || Date.now() < end; round++)
      seen.add(
        (await service.call('POST', '/api/terminal/exec', { cwd: place.root, command: 'true' })).status,
      );
    await swapping.stop();
    expect(seen).toContain(200);
    expect(await readdir(place.outside)).toEqual(before);
    expect(await readFile(join(place.outside, 'train.csv'), 'utf8')).toContain(SECRET);
  });
});

import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startGitServer } from '../support/fakes/git-server.ts';
import { HOSTILE_MS, startSwapping } from '../support/processes/swapper.ts';
import { startService } from '../support/service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const server = await startGitServer();
const ENV = {
  NODE_EXTRA_CA_CERTS: server.caFile,
  CODE_HOST: server.host,
  CODE_HOST_ALLOW_PRIVATE: 'true',
};
const [program, script] = await Promise.all([
  startService(ENV),
  startService({ ...ENV, PATH: '/nonexistent' }),
]);
const FILES = 40;
const FOLDERS = [
  ['the folder of the files', 'deep/down'],
  ['the folder of the packs', '.git/objects/pack'],
  ["Git's own folder", '.git'],
] as const;
let count = 0;

/** Returns the files of a folder, all new in each generation. */
function generation(number: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [`deep/down/file-${index}.txt`, `${number} ${index}\n`]),
  );
}

describe.each([
  ['by the Git program', program],
  ['in JavaScript', script],
])('pull %s', (_how, service) => {
  async function cloned() {
    const name = `public/race-${++count}`;
    await server.addRepository(name, generation(0));
    const url = `https://${server.host}/${name}.git`;
    const { body } = await service.call<{ id: string; rootPath: string }>('POST', '/api/git/clone', {
      url,
      rootPath: `race-${count}`,
    });
    return { name, id: body.id, root: body.rootPath };
  }

  async function pullForAWhile({ name, id }: { name: string; id: string }): Promise<Set<number>> {
    const statuses = new Set<number>();
    const end = Date.now() + HOSTILE_MS / FOLDERS.length;
    for (let number = 1; number === 1 || Date.now() < end; number++) {
      await server.commit(name, generation(number));
      const { status } = await service.call('POST', '/api/git/pull', { workspaceId: id });
      await service.call('GET', `/api/git/status?workspaceId=${id}`);
      statuses.add(status);
    }
    return statuses;
  }

  it.each(FOLDERS)(
    'writes and reads nothing outside while %s is swapped with a link',
    async (_what, folder) => {
      const clone = await cloned();
      const outside = await tempFolder();
      await mkdir(join(outside, 'down'));
      await mkdir(join(outside, 'pack'));
      await mkdir(join(outside, 'objects/pack'), { recursive: true });
      await writeFile(join(outside, 'down/file-1.txt'), 'mine');
      await symlink(outside, join(clone.root, '.link'));
      const before = await readdir(outside, { recursive: true });
      const swapping = await startSwapping([[join(clone.root, folder), join(clone.root, '.link')]]);
      const statuses = await pullForAWhile(clone);
      await swapping.stop();
      expect((await readdir(outside, { recursive: true })).sort()).toEqual(before.sort());
      expect([...statuses].filter((status) => status >= 500 && status !== 502)).toEqual([]);
    },
  );
});

it('workspace, new or cloned, is created only in its root while a link replaces a folder there', async () => {
  const outside = await tempFolder();
  const name = `public/race-${++count}`;
  await server.addRepository(name, { 'README.md': 'mine' });
  await mkdir(join(program.root, 'nest'));
  await symlink(outside, join(program.root, '.link'));
  const swapping = await startSwapping([[join(program.root, 'nest'), join(program.root, '.link')]]);
  const end = Date.now() + HOSTILE_MS;
  for (let round = 0; round < 3 || Date.now() < end; round++) {
    const url = `https://${server.host}/${name}.git`;
    await program.call('POST', '/api/git/clone', { url, rootPath: `nest/${round}/cloned` });
    for (let made = 0; made < 10; made++)
      await program.call('POST', '/api/workspaces', { path: `nest/${round}/${made}/made` });
  }
  await swapping.stop();
  expect(await readdir(outside)).toEqual([]);
});

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const base = await tempFolder();
const [code, papers] = [join(base, 'code'), join(base, 'papers')];
for (const folder of [code, papers]) await mkdir(join(folder, 'one'), { recursive: true });
await writeFile(join(base, 'file.txt'), '');

it('start uses the named folders in addition to the roots', async () => {
  const service = await startService({ INIT_CWD: dirname(papers) }, [code, basename(papers), code]);
  const { body } = await service.call<{ folders: { path: string }[] }>('GET', '/api/system/folders');
  expect(body.folders.map(({ path }) => path)).toEqual([service.root, code, papers]);
  const path = join(papers, 'one');
  expect((await service.call('POST', '/api/workspaces', { path, create: false })).status).toBe(201);
  await service.stop();
});

it.each([
  ['a missing folder', join(base, 'absent'), 'absent does not exist. Name an existing folder.'],
  ['a file', join(base, 'file.txt'), "file.txt isn't a folder."],
  ['a tilde that no shell expanded', '~/code', 'without ~'],
  ['a path with a comma', join(base, 'a,b'), 'contains a comma. Rename the folder.'],
])('start refuses %s in one sentence', async (_which, folder, message) => {
  await expect(startService({}, [folder])).rejects.toThrow(message);
});

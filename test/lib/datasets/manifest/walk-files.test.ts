import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { walkFiles } from '../../../../lib/datasets/manifest/walk-files.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

it('walkFiles lists the regular files by path, and rejects a directory with too many files', async () => {
  const root = await tempFolder();
  for (const folder of ['b/c', '.git']) await mkdir(join(root, folder), { recursive: true });
  for (const path of ['b/c/2', 'b/1', 'a', '.git/config']) await writeFile(join(root, path), path);
  await symlink('/etc/passwd', join(root, 'link'));
  expect((await walkFiles(root, 3)).map(({ path }) => path)).toEqual(['a', 'b/1', 'b/c/2']);
  await expect(walkFiles(root, 2)).rejects.toThrow('The dataset has more than 2 files.');
});

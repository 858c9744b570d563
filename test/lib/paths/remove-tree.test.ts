import { chmod, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { withParent } from '../../../lib/paths/confine.ts';
import { removeTree } from '../../../lib/paths/remove-tree.ts';
import { makeTree } from '../../support/samples/tree.ts';

const remove = (root: string, name: string) => withParent(root, join(root, name), removeTree);
const onLinux = process.platform === 'linux' ? it : it.skip;

it("removeTree removes a directory with its contents, a file, and a link, but never a link's target", async () => {
  const root = await makeTree({
    'kept/a.txt': 'a',
    'tree/a.txt': 'a',
    'tree/b/c/d.txt': 'd',
    'file.txt': '',
  });
  await mkdir(join(root, 'tree/empty'));
  await symlink(join(root, 'kept'), join(root, 'tree/b/link'));
  await symlink(join(root, 'kept'), join(root, 'link'));
  for (const name of ['tree', 'link', 'file.txt', 'nothing']) await remove(root, name);
  expect(await readdir(root, { recursive: true })).toEqual(['kept', 'kept/a.txt']);
});

onLinux('removes files deeper than the maximum path length, and nothing next to them', async () => {
  const root = await makeTree({});
  const below = `${'a-long-name/'.repeat(25)}`;
  for (let count = 0; count < 20; count++) {
    // Created around the existing folders: no path reaches the innermost one.
    await mkdir(join(root, 'outer', below), { recursive: true });
    await writeFile(join(root, 'outer', below, 'file.txt'), '');
    await rename(join(root, 'tree'), join(root, 'outer', below, 'inner')).catch(() => {});
    await rename(join(root, 'outer'), join(root, 'tree'));
  }
  await remove(root, 'tree');
  expect(await readdir(root)).toEqual([]);
});

it("removeTree reports paths that it can't remove", async () => {
  const root = await makeTree({ 'tree/locked/a.txt': 'a' });
  await chmod(join(root, 'tree/locked'), 0o500);
  const removed = remove(root, 'tree');
  if (process.getuid?.() === 0) await removed;
  else await expect(removed).rejects.toMatchObject({ code: 'EACCES' });
  await chmod(join(root, 'tree/locked'), 0o700).catch(() => {});
});

import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readQuickly } from '../../../lib/paths/read-quickly.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = await tempFolder();
const outside = await tempFolder();
await mkdir(join(root, 'folder'));
await writeFile(join(root, 'folder/note.md'), 'The owls hunt at night.');
await writeFile(join(outside, 'secret.md'), 'secret');

it('readQuickly() reads a regular file with its stats', () => {
  const read = readQuickly(root, 'folder/note.md');
  expect(read?.bytes.toString()).toBe('The owls hunt at night.');
  expect(read?.size).toBe(23);
});

it('readQuickly() leaves links, including those in the path, to other code', async () => {
  await symlink(join(outside, 'secret.md'), join(root, 'link.md'));
  await symlink(outside, join(root, 'way'));
  await symlink(join(root, 'folder'), join(root, 'inside'));
  for (const path of ['link.md', 'way/secret.md', 'inside/note.md'])
    expect(readQuickly(root, path)).toBeUndefined();
});

it('readQuickly() leaves paths outside, special files, and large files to other code', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await writeFile(join(root, 'large'), Buffer.alloc(64 * 1024 + 1));
  const others = [
    `../${outside.split('/').at(-1)}/secret.md`,
    '/etc/passwd',
    'folder',
    'pipe',
    'large',
    'none',
    'a\0b',
  ];
  for (const path of others) expect(readQuickly(root, path)).toBeUndefined();
});

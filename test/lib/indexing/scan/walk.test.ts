import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { presentBelow, walk } from '../../../../lib/indexing/scan/walk.ts';
import { tempName } from '../../../../lib/paths/temp-name.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';
import { makeTree } from '../../../support/samples/tree.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function names(root: string, folder = ''): Promise<string[]> {
  return (await walk(root, folder)).files.map(({ path }) => path).sort();
}

async function namesBelow(root: string, path: string): Promise<string[]> {
  return (await presentBelow(root, path)).files.map((file) => file.path);
}

describe('walk', () => {
  const rules = {
    '.gitignore': 'README.md\nlogs/\n*.tmp.md\n!keep.tmp.md\n',
    'a/.wrsignore': 'secret.md\n!b.tmp.md\n',
  };
  const wanted = ['Logs/x.md', 'a/b.md', 'a/b.tmp.md', 'keep.tmp.md', 'readme.md'];
  const unwanted = [
    'README.md',
    'a/secret.md',
    'logs/x.md',
    'x.tmp.md',
    'node_modules/p/x.md',
    'dist/y.md',
    'v/lib/x.py',
    '.env',
    '.git/config.md',
    'photo.heic',
  ];
  const all = Object.fromEntries([...wanted, ...unwanted, 'v/pyvenv.cfg'].map((path) => [path, 'x']));

  it('visits the requested paths, and finds the same at each path', async () => {
    const root = await makeTree({ ...rules, ...all });
    expect(await names(root)).toEqual(wanted);
    for (const path of wanted) expect(await namesBelow(root, path)).toEqual([path]);
    for (const path of unwanted) expect([path, await namesBelow(root, path)]).toEqual([path, []]);
    expect(await namesBelow(root, 'a')).not.toEqual([]);
    for (const folder of ['logs', 'node_modules/p', 'v/lib', '.git']) {
      expect([folder, await namesBelow(root, folder)]).toEqual([folder, []]);
    }
  });

  it('removes temporary files that are an hour old, and keeps newer ones', async () => {
    const root = await makeTree({
      [`a/${tempName()}`]: 'half',
      [`a/${tempName()}/x.md`]: 'x',
      'a/x.md': 'x',
    });
    expect(await names(root)).toEqual(['a/x.md']);
    expect(await readdir(join(root, 'a'))).toHaveLength(3);
    const later = Date.now() + 3_601_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      await walk(root);
    } finally {
      clock.mockRestore();
    }
    expect(await readdir(join(root, 'a'))).toEqual(['x.md']);
  });

  it('follows no links', async () => {
    const root = await makeTree({ 'a/x.md': 'x' });
    await symlink('/etc', join(root, 'out'));
    await symlink(root, join(root, 'a/round'));
    await symlink(join(root, 'a/x.md'), join(root, 'link.md'));
    expect(await names(root)).toEqual(['a/x.md']);
  });

  it.each(['/dev/zero', 'a FIFO', 'a directory'])(
    "isn't blocked by an ignore file that is %s",
    async (what) => {
      const root = await makeTree({ 'x.md': 'x' });
      const file = join(root, '.gitignore');
      if (what === '/dev/zero') await symlink(what, file);
      else if (what === 'a FIFO') execFileSync('mkfifo', [file]);
      else await mkdir(file);
      expect(await names(root)).toEqual(['x.md']);
      expect(await namesBelow(root, 'x.md')).toEqual(['x.md']);
    },
  );

  it('finds nothing, and reports nothing unreadable, in an empty folder', async () => {
    expect(await walk(join(await tempFolder(), 'gone'))).toEqual({
      files: [],
      skipped: [],
      unreadable: [],
    });
  });

  const asRoot = process.getuid?.() === 0;
  (asRoot ? it.skip : it)('names a directory that it may not read', async () => {
    const root = await makeTree({ 'a/x.md': 'x', 'b.md': 'x' });
    await chmod(join(root, 'a'), 0);
    const found = await walk(root);
    await chmod(join(root, 'a'), 0o755);
    expect(found).toMatchObject({ files: [{ path: 'b.md' }], unreadable: ['a'] });
  });

  it('uses little processor time for 2,000 directories', async () => {
    const root = await makeTree(
      Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`d${index}/x.md`, 'x'])),
    );
    const walked = async () => expect(await names(root)).toHaveLength(2000);
    expect(await cpuTimeOf(walked)).toBeLessThan(5000);
    await rm(root, { recursive: true });
  });
});

import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Copying, copyTree } from '../../../infra/backup/copy-tree.ts';
import type { Entry } from '../../../infra/backup/manifest.ts';
import { restoreBackup } from '../../../infra/backup/restore.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
const tell = () => {};

async function backupOf(entries: Entry[], files: Record<string, string> = {}): Promise<string> {
  const folder = await tempFolder();
  const manifest = {
    version: 1,
    madeAt: '2026-11-22T12:00:00Z',
    release: '1.0.0',
    dataDir: '/x',
    leftOut: [],
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, entries }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'data', path)), { recursive: true });
    await writeFile(join(folder, 'data', path), content);
  }
  return folder;
}

function fileEntry(path: string, content: string): Entry {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { type: 'file', path, mode: 0o600, size: content.length, sha256 };
}

describe('a backup that somebody else made', () => {
  it('writes nothing through its own links', async () => {
    const outside = await tempFolder();
    const from = await backupOf(
      [{ type: 'link', path: 'a', target: outside }, fileEntry('a/planted', 'bad')],
      { 'a/planted': 'bad' },
    );
    const dataDir = join(await tempFolder(), 'data');
    await expect(restoreBackup({ from, dataDir, signal, tell })).rejects.toThrow('is damaged');
    expect(await readdir(outside)).toEqual([]);
  });

  it.each(['service.sqlite', 'service.sqlite-wal'])('has no link as %s, which is opened', async (path) => {
    const target = join(await tempFolder(), 'other.sqlite');
    const from = await backupOf([{ type: 'link', path, target }]);
    const dataDir = join(await tempFolder(), 'data');
    await expect(restoreBackup({ from, dataDir, signal, tell })).rejects.toThrow('is damaged');
    await expect(access(target)).rejects.toThrow('ENOENT');
  });
});

it('a restore to where no folder can be put says so, and not that it was done', async () => {
  const from = await backupOf([fileEntry('a', 'text')], { a: 'text' });
  const dataDir = join(await tempFolder(), 'data');
  await symlink(await tempFolder(), dataDir);
  await expect(restoreBackup({ from, dataDir, signal, tell })).rejects.toThrow('cannot be made (ENOTDIR)');
});

it('a path that is too long where the backup lies is left out, by name, and the rest is there', async () => {
  const [from, to] = [await tempFolder(), join(await tempFolder(), ...Array(12).fill('y'.repeat(255)))];
  await mkdir(to, { recursive: true });
  const deep = Array(4).fill('x'.repeat(250)).join('/');
  await mkdir(join(from, deep), { recursive: true });
  await writeFile(join(from, 'kept.md'), 'kept');
  const copying: Copying = { to, entries: [], leftOut: [], signal, tell };
  await copyTree(from, '', copying);
  expect(copying.leftOut).toMatchObject([{ reason: 'ENAMETOOLONG' }]);
  expect(await readFile(join(to, 'kept.md'), 'utf8')).toBe('kept');
});

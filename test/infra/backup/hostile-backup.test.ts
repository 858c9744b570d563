import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import {
  access,
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { backUp } from '../../../infra/backup/backup.ts';
import { copyFile } from '../../../infra/backup/copy-file.ts';
import { type Copying, copyTree } from '../../../infra/backup/copy-tree.ts';
import type { Entry, Manifest } from '../../../infra/backup/manifest.ts';
import { checkBackup, restoreBackup } from '../../../infra/backup/restore.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { personEnvironment, runWrs } from '../../support/wrs.ts';

const { signal } = new AbortController();
const tell = () => {};

type Files = Record<string, string | Buffer>;
/** The records of a new data folder. */
let records: Buffer;

beforeAll(async () => {
  records = await readRecords();
});

/** The records of a new data folder, changed by SQL. */
async function readRecords(sql = ''): Promise<Buffer> {
  const folder = await tempFolder();
  openDatabase(folder).close();
  const file = join(folder, 'service.sqlite');
  const database = new DatabaseSync(file, { defensive: false });
  database.exec(sql);
  database.close();
  return readFile(file);
}

const noRecords = { 'service.sqlite': '' };

/** A backup with these entries, and with default records unless `files` has some. */
async function backupOf(
  entries: unknown[],
  files: Files = {},
  more: Partial<Manifest> = {},
): Promise<string> {
  const folder = await tempFolder();
  const all: Files = { 'service.sqlite': records, ...files };
  const manifest = {
    version: 1,
    madeAt: '2026-11-22T12:00:00Z',
    release: '1.0.0-rc.1',
    dataDir: '/x',
    leftOut: [],
  };
  const own = files === noRecords ? [] : [fileEntry('service.sqlite', all['service.sqlite'] ?? '')];
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...manifest, entries: [...own, ...entries], ...more }),
  );
  for (const [path, content] of Object.entries(all)) {
    await mkdir(dirname(join(folder, 'data', path)), { recursive: true });
    await writeFile(join(folder, 'data', path), content);
  }
  return folder;
}

function fileEntry(path: string, content: string | Buffer): Entry & { type: 'file' } {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { type: 'file', path, mode: 0o600, size: content.length, sha256 };
}

const folderEntry = (path: string): Entry => ({ type: 'folder', path, mode: 0o700 });

async function restoreTo(from: string, dataDir?: string) {
  const target = dataDir ?? join(await tempFolder(), 'data');
  return restoreBackup({ from, dataDir: target, signal, tell });
}

/**
 * Expects that both the check and the restore fail with these words, and that the restore leaves nothing next
 * to its target.
 */
async function expectRefused(from: string, words: string | RegExp): Promise<void> {
  await expect(checkBackup({ from, signal, tell })).rejects.toThrow(words);
  await expectNotRestored(from, words);
}

async function expectNotRestored(from: string, words: string | RegExp): Promise<void> {
  const parent = await tempFolder();
  await expect(restoreTo(from, join(parent, 'data'))).rejects.toThrow(words);
  expect(await readdir(parent)).toEqual([]);
}

describe('backup from another person', () => {
  it('is restored if it is valid, whatever else its folder contains', async () => {
    const from = await backupOf([fileEntry('a', 'text')], { a: 'text', unlisted: 'more' });
    const { dataDir, files } = await restoreTo(from);
    expect(files).toBe(2);
    expect((await readdir(dataDir)).sort()).toEqual(['a', 'service.sqlite']);
    expect((await stat(dataDir)).mode & 0o7777).toBe(0o700);
  });

  it("can't forge lines in the output of wrs restore", async () => {
    const from = await backupOf(
      [],
      {},
      { leftOut: [{ path: 'a\nrestored: all good', reason: 'b\nverified' }] },
    );
    const env = { ...(await personEnvironment()), DATA_DIR: join(await tempFolder(), 'data') };
    const { code, stderr } = await runWrs(['restore', from], { env });
    expect(code).toBe(0);
    expect(stderr.trimEnd().split('\n')).toEqual(['skipped: a restored: all good (b verified)']);
  });

  it("can't write through its own links", async () => {
    const outside = await tempFolder();
    const from = await backupOf(
      [{ type: 'link', path: 'a', target: outside }, fileEntry('a/planted', 'bad')],
      { 'a/planted': 'bad' },
    );
    await expectRefused(from, 'is damaged');
    expect(await readdir(outside)).toEqual([]);
  });

  it.each([
    'service.sqlite',
    'service.sqlite-wal',
    'Service.SQLite',
    'service.sqlite-JOURNAL',
    'ſervice.sqlite-shm',
  ])('is rejected if the %s is a link, which SQLite would follow', async (path) => {
    const target = join(await tempFolder(), 'other.sqlite');
    await expectRefused(await backupOf([{ type: 'link', path, target }], noRecords), 'is damaged');
    await expect(access(target)).rejects.toThrow('ENOENT');
  });

  it.each(['service.sqlite-journal', 'service.sqlite-wal', 'Service.sqlite-journal'])(
    'is rejected if it has a %s, from which SQLite would read instructions',
    async (path) => expectRefused(await backupOf([fileEntry(path, 'x')], { [path]: 'x' }), 'is damaged'),
  );

  it.each([
    ['a path outside the backup', fileEntry('../planted', 'bad')],
    ['a path out of a folder', fileEntry('a/../../planted', 'bad')],
    ['an absolute path', fileEntry('/tmp/planted', 'bad')],
    ['a path with NUL', fileEntry('planted\0.md', 'bad')],
    ['a file inside a file', fileEntry('service.sqlite/planted', 'bad')],
    ['an unlisted folder', fileEntry('b/planted', 'bad')],
    ['a link with NUL', { type: 'link', path: 'workspaces-link', target: 'a\0b' }],
    ['a link without a target', { type: 'link', path: 'workspaces-link', target: '' }],
    ['a negative size', { ...fileEntry('planted', 'bad'), size: -1 }],
    ["a size that isn't a number", { ...fileEntry('planted', 'bad'), size: '3' }],
    ['a mode of another file type', { ...fileEntry('planted', 'bad'), mode: 0o120777 }],
    ['an entry of another type', { type: 'hardlink', path: 'planted', target: '/etc/passwd' }],
  ])('is rejected with %s', async (_name, entry) =>
    expectRefused(await backupOf([entry], { planted: 'bad' }), 'is damaged'),
  );

  it.each<[string, Entry[]]>([
    ['a file', [fileEntry('a', 'x'), fileEntry('a', 'x')]],
    ['a file as a link', [{ type: 'link', path: 'a', target: 'b' }, fileEntry('a', 'x')]],
    ['a folder', [folderEntry('a'), folderEntry('a')]],
    ['the records', [fileEntry('service.sqlite', 'x')]],
  ])('is rejected with two of %s', async (_name, entries) =>
    expectRefused(await backupOf(entries, { a: 'x' }), 'manifest.json is damaged'),
  );

  it.each<[string, Partial<Record<keyof Manifest, unknown>>]>([
    ['a future version', { version: 2 }],
    ['a relative path as the data folder', { dataDir: '' }],
    ['the root directory as the data folder', { dataDir: '/' }],
    ['no entries', { entries: [] }],
    ['invalid entries', { entries: { length: 3 } }],
  ])('is rejected if its manifest has %s', async (_name, more) =>
    expectRefused(await backupOf([], {}, more as Partial<Manifest>), 'is damaged'),
  );

  it('is rejected if its manifest is truncated', async () => {
    const from = await backupOf([]);
    await truncate(join(from, 'manifest.json'), 100);
    await expectRefused(from, 'is damaged');
  });

  it('keeps names with line feeds and control characters', async () => {
    const name = 'a\nb\u001b[2J\u202e';
    const { dataDir } = await restoreTo(await backupOf([fileEntry(name, 'x')], { [name]: 'x' }));
    expect(await readdir(dataDir)).toContain(name);
  });
});

describe('manifest entry of a file', () => {
  it.each([
    ['longer', 'text', 'text and more'],
    ['shorter', 'text', 'te'],
    ['of the same length', 'text', 'tex7'],
  ])('is rejected if it is %s', async (_name, said, is) =>
    expectRefused(await backupOf([fileEntry('a', said)], { a: is }), 'a is damaged in the backup'),
  );

  it('limits the bytes to copy, so that a sparse file is rejected before its first byte', async () => {
    const from = await backupOf([fileEntry('a', 'text')], { a: 'text' });
    await truncate(join(from, 'data/a'), 2 ** 28);
    const sizes: number[] = [];
    await expect(
      copyFile(join(from, 'data/a'), join(from, 'copy'), stopAfter(3, sizes), 4),
    ).resolves.toBeUndefined();
    expect(sizes).toEqual([]);
    await expectRefused(from, 'a is damaged in the backup');
  });

  it('must fit on the disk', async () => {
    const from = await backupOf([{ ...fileEntry('a', 'x'), size: 2 ** 52 }], { a: 'x' });
    await expectNotRestored(from, /needs 4503599627.* MB, and .* has \d.* MB free/);
  });

  it('is reported if the file is missing', async () => {
    await expectRefused(await backupOf([fileEntry('a', 'x')]), 'a is missing from the backup');
  });

  it('gives no file setuid or setgid permissions', async () => {
    const entries = [
      { ...fileEntry('a', 'x'), mode: 0o6755 },
      { ...folderEntry('b'), mode: 0o7755 },
    ];
    const from = await backupOf(entries, { a: 'x' });
    await chmod(join(from, 'data/a'), 0o6755);
    const { dataDir } = await restoreTo(from);
    expect((await stat(join(dataDir, 'a'))).mode & 0o7777).toBe(0o755);
    // For a folder, they only set the group of its files, and who may remove these.
    expect((await stat(join(dataDir, 'b'))).mode & 0o7777).toBe(0o3755);
  });
});

/** A signal that aborts after this many chunks. */
function stopAfter(pieces: number, seen: number[]): AbortSignal {
  return {
    throwIfAborted() {
      seen.push(seen.length);
      if (seen.length > pieces) throw new Error('too many pieces');
    },
  } as AbortSignal;
}

describe('special file in a backup', () => {
  it.each(['manifest.json', 'data/a', 'data/service.sqlite'])('is not waited for as %s', async (path) => {
    const from = await backupOf([fileEntry('a', 'x')], { a: 'x' });
    await rm(join(from, path));
    execFileSync('mkfifo', [join(from, path)]);
    await expectRefused(from, path === 'manifest.json' ? "isn't a regular file" : 'is damaged in the backup');
  });

  it.each(['manifest.json', 'data/a'])('is not read through a link as %s', async (path) => {
    const from = await backupOf([fileEntry('a', 'x')], { a: 'x' });
    await rename(join(from, path), join(from, 'elsewhere'));
    await symlink(join(from, 'elsewhere'), join(from, path));
    await expectRefused(from, path === 'manifest.json' ? "isn't a regular file" : "isn't a regular file");
  });

  it.each(['data', 'data/b'])('is not entered through a link as %s', async (path) => {
    const from = await backupOf([folderEntry('b'), fileEntry('b/a', 'x')], { 'b/a': 'x' });
    await rename(join(from, path), join(from, 'elsewhere'));
    await symlink(join(from, 'elsewhere'), join(from, path));
    await expectRefused(from, "isn't a folder");
  });

  it('is copied if it is a hard link', async () => {
    const from = await backupOf([fileEntry('a', 'x')]);
    const victim = join(await tempFolder(), 'victim');
    await writeFile(victim, 'x');
    await link(victim, join(from, 'data/a'));
    const { dataDir } = await restoreTo(from);
    expect((await stat(join(dataDir, 'a'))).nlink).toBe(1);
  });
});

describe('links of a backup', () => {
  it.each([
    ['workspaces', '/etc'],
    ['vectors', '../victim'],
    ['wrs.log', '/root/.bashrc'],
    ['objects/a', '/etc'],
    ['objects/a', 'deep/../../../etc'],
    ['objects/a', '../secrets.json'],
    ['datasets/a', '../../victim'],
  ])('are omitted if the service writes to their target: %s to %s', async (path, target) => {
    const folders = ['objects', 'datasets'].map(folderEntry);
    const restored = await restoreTo(await backupOf([...folders, { type: 'link', path, target }]));
    expect(restored.leftOut).toEqual([{ path, reason: `a link that leads outside: ${target}` }]);
    await expect(readlink(join(restored.dataDir, path))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['workspaces/w/a', '/etc/passwd'],
    ['embedder/.bin/a', '../package/a.js'],
    ['embedder/b', '.bin'],
  ])('are kept in workspaces, and if their targets are in the same entry: %s to %s', async (path, target) => {
    const folders = ['workspaces', 'workspaces/w', 'embedder', 'embedder/.bin'].map(folderEntry);
    const restored = await restoreTo(await backupOf([...folders, { type: 'link', path, target }]));
    expect(restored.leftOut).toEqual([]);
    expect(await readlink(join(restored.dataDir, path))).toBe(target);
  });
});

describe('records of a backup', () => {
  const trigger = 'CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM messages; END;';
  it.each<[string, string, RegExp]>([
    ['a trigger', trigger, /are not those of this service/],
    ['a view', 'CREATE VIEW v AS SELECT * FROM records;', /are not those of this service/],
    ['a view as a table', 'DROP TABLE queues; CREATE VIEW queues AS SELECT 1;', /are not those of this/],
    ['an additional table', 'CREATE TABLE more (a);', /are not those of this service/],
    ['a missing table', 'DROP TABLE deduplications;', /are not those of this service/],
    ['a computed column', 'ALTER TABLE queues ADD b AS (hex(name));', /are not those of this service/],
    ['an index on an expression', 'CREATE INDEX i ON records (lower(value));', /are not those of this/],
    [
      'a check constraint',
      'DROP TABLE queues; CREATE TABLE queues (name TEXT CHECK (name <> 1));',
      /are not those/,
    ],
    ['a trigger with the name of a table', hidden(trigger), /are not those of this service/],
    ['a future version', 'PRAGMA user_version = 99;', /newer release/],
    ['a negative version', 'PRAGMA user_version = -1;', /are not those of this service/],
    ['no version', 'PRAGMA user_version = 0;', /are not those of this service/],
  ])('are not opened with %s', async (_name, sql, words) => {
    const bytes = await readRecords(sql);
    await expectRefused(await backupOf([], { 'service.sqlite': bytes }), words);
  });

  it.each<[string, (whole: Buffer) => Buffer]>([
    ['text', () => Buffer.from('not a database, but long enough to be read as one')],
    ['empty', () => Buffer.alloc(0)],
    ['truncated', (whole) => whole.subarray(0, whole.length - 4096)],
    [
      'zeros in the middle',
      (whole) => Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192)]),
    ],
  ])('are rejected with an explanation if they are %s', async (_name, spoil) => {
    const from = await backupOf([], { 'service.sqlite': spoil(records) });
    await expectRefused(from, /^service\.sqlite in the backup /);
  });

  it('are restored with the statistics of ANALYZE', async () => {
    const bytes = await readRecords(
      "INSERT INTO records VALUES ('a', 'b', NULL, NULL, NULL, '{}'); ANALYZE;",
    );
    expect((await restoreTo(await backupOf([], { 'service.sqlite': bytes }))).files).toBe(1);
  });

  it('are restored from an earlier release', async () => {
    const bytes = await readFile(
      join(import.meta.dirname, '../../golden/records/release-1.0.0-rc.1/service.sqlite'),
    );
    expect((await restoreTo(await backupOf([], { 'service.sqlite': bytes }))).files).toBe(1);
  });
});

/** The same records under a name that SQLite reserves. */
function hidden(sql: string): string {
  return `${sql} PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = 'sqlite_stat1', sql = replace(sql, 'TRIGGER t ', 'TRIGGER sqlite_stat1 ') WHERE name = 't';`;
}

describe('target of a restore', () => {
  it('stays unchanged if it is a link to a folder, with an explanation', async () => {
    const from = await backupOf([fileEntry('a', 'text')], { a: 'text' });
    const dataDir = join(await tempFolder(), 'data');
    await symlink(await tempFolder(), dataDir);
    await expect(restoreTo(from, dataDir)).rejects.toThrow('could not be created (ENOTDIR)');
  });

  it('stays unchanged if it is a file, with an explanation', async () => {
    const dataDir = join(await tempFolder(), 'data');
    await writeFile(dataDir, 'mine');
    await expect(restoreTo(await backupOf([]), dataDir)).rejects.toThrow('already exists');
    expect(await readFile(dataDir, 'utf8')).toBe('mine');
  });

  it('stays unchanged if it contains files', async () => {
    const dataDir = await tempFolder();
    await writeFile(join(dataDir, 'mine'), 'mine');
    await expect(restoreTo(await backupOf([]), dataDir)).rejects.toThrow('already exists');
    expect(await readdir(dataDir)).toEqual(['mine']);
  });
});

describe('backup of a folder with links', () => {
  async function dataFolder(): Promise<string> {
    const dataDir = await tempFolder();
    openDatabase(dataDir).close();
    return dataDir;
  }

  it('lists the links that it omits', async () => {
    const dataDir = await dataFolder();
    const elsewhere = await tempFolder();
    await symlink(elsewhere, join(dataDir, 'objects'));
    const target = join(await tempFolder(), 'backup');
    const made = await backUp({ dataDir, target, signal, tell });
    expect(made.leftOut).toEqual([{ path: 'objects', reason: `a link that leads outside: ${elsewhere}` }]);
    expect((await restoreTo(target)).files).toBe(1);
  });

  it('never contains itself, even through a link', async () => {
    const dataDir = await dataFolder();
    const detour = join(await tempFolder(), 'detour');
    await symlink(dataDir, detour);
    for (const target of [join(detour, 'backup'), join(dataDir, '..backup')])
      await expect(backUp({ dataDir, target, signal, tell })).rejects.toThrow('is in the data folder');
    const names = await readdir(dataDir);
    expect(names.filter((name) => !name.startsWith('service.sqlite'))).toEqual([]);
  });

  it('resolves a data folder that is a link', async () => {
    const dataDir = join(await tempFolder(), 'link');
    const real = await dataFolder();
    await symlink(real, dataDir);
    const target = join(await tempFolder(), 'backup');
    await backUp({ dataDir, target, signal, tell });
    const manifest = JSON.parse(await readFile(join(target, 'manifest.json'), 'utf8')) as Manifest;
    expect(manifest.dataDir).toBe(real);
  });
});

it('wrs backup copies a growing file up to its initial length', async () => {
  const [from, to] = [join(await tempFolder(), 'log'), join(await tempFolder(), 'log')];
  await writeFile(from, 'start');
  let rounds = 0;
  const growing = {
    throwIfAborted: () => rounds++ < 5 && appendFileSync(from, 'more'),
  } as unknown as AbortSignal;
  expect(await copyFile(from, to, growing)).toMatchObject({ size: 5 });
  expect(await readFile(to, 'utf8')).toBe('start');
});

it('wrs backup removes temporary files without a process ID', async () => {
  const parent = await tempFolder();
  await mkdir(join(parent, '.data.unfinished-x'), { mode: 0o700 });
  const { dataDir } = await restoreTo(await backupOf([]), join(parent, 'data'));
  expect(await readdir(parent)).toEqual(['data']);
  expect(dataDir).toBe(join(parent, 'data'));
});

it('wrs backup omits a path that is too long in the target, reports it, and copies the rest', async () => {
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

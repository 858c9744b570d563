import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inotifyWatcher } from '../../../lib/adapters/inotify/folder-watcher.ts';
import { hasNetworkMount, readMounts } from '../../../lib/adapters/inotify/network-mounts.ts';
import { visitFolders } from '../../../lib/indexing/scan/walk.ts';
import { type FolderWatch, Unwatchable } from '../../../lib/ports/folder-watcher.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MANY = { maxFolders: 5000, maxEvents: 16_384 };

let root: string;
let outside: string;
let watch: FolderWatch | undefined;
let changed: Set<string>;
let lost: number;

async function start(limits = MANY): Promise<FolderWatch> {
  const tree = {
    visit: (path: string, visit: (folder: string) => void) => visitFolders(root, path, visit),
  };
  watch = await inotifyWatcher(limits).watch(root, tree, {
    changed: (path) => changed.add(path),
    lost: () => lost++,
    ended: (reason) => changed.add(`ended: ${reason}`),
  });
  return watch;
}

/** Returns the paths that are reported until no more arrive. */
async function reported(): Promise<string[]> {
  await sleep(50);
  while (watch?.unreportedSince() !== undefined) await sleep(10);
  const paths = [...changed].sort();
  changed.clear();
  return paths;
}

beforeEach(async () => {
  [root, outside, changed, lost] = [await tempFolder(), await tempFolder(), new Set(), 0];
});
afterEach(async () => {
  await watch?.close();
  watch = undefined;
});

describe('inotifyWatcher', () => {
  it('reports files that are created, changed, moved, and deleted', async () => {
    await mkdir(join(root, 'a'));
    await start();
    await writeFile(join(root, 'a/x.md'), 'x');
    expect(await reported()).toEqual(['a/x.md']);
    await writeFile(join(root, 'a/x.md'), 'y');
    expect(await reported()).toEqual(['a/x.md']);
    await rename(join(root, 'a/x.md'), join(root, 'y.md'));
    expect(await reported()).toEqual(['a/x.md', 'y.md']);
    await rm(join(root, 'y.md'));
    expect(await reported()).toEqual(['y.md']);
  });

  it('watches a whole tree that is moved in or renamed', async () => {
    await mkdir(join(outside, 'tree/deep'), { recursive: true });
    await start();
    await rename(join(outside, 'tree'), join(root, 'in'));
    expect(await reported()).toEqual(['in']);
    await writeFile(join(root, 'in/deep/x.md'), 'x');
    expect(await reported()).toEqual(['in/deep/x.md']);
    await rename(join(root, 'in'), join(root, 'on'));
    expect(await reported()).toEqual(['in', 'on']);
    await writeFile(join(root, 'on/deep/x.md'), 'y');
    expect(await reported()).toEqual(['on/deep/x.md']);
  });

  it('watches another folder that takes over the name of a watched one', async () => {
    await mkdir(join(root, 'a'));
    await start();
    await rm(join(root, 'a'), { recursive: true });
    await mkdir(join(root, 'a/b'), { recursive: true });
    await reported();
    await writeFile(join(root, 'a/b/x.md'), 'x');
    expect(await reported()).toEqual(['a/b/x.md']);
  });

  it('reports nothing for a tree that was moved out', async () => {
    await mkdir(join(root, 'a/b'), { recursive: true });
    await start();
    await rename(join(root, 'a'), join(outside, 'a'));
    expect(await reported()).toEqual(['a']);
    await writeFile(join(outside, 'a/b/x.md'), 'x');
    expect(await reported()).toEqual([]);
  });

  it('ignores folders that the index skips, including new ones', async () => {
    await writeFile(join(root, '.gitignore'), 'data/\n');
    await mkdir(join(root, 'data'));
    await mkdir(join(root, 'node_modules/x'), { recursive: true });
    await start();
    await writeFile(join(root, 'data/x.md'), 'x');
    await writeFile(join(root, 'node_modules/x/x.md'), 'x');
    expect(await reported()).toEqual([]);
    await mkdir(join(root, 'a/data'), { recursive: true });
    await reported();
    await writeFile(join(root, 'a/data/x.md'), 'x');
    expect(await reported()).toEqual([]);
  });

  it('applies new rules after a refresh', async () => {
    await mkdir(join(root, 'data'));
    const { refresh } = await start();
    await writeFile(join(root, '.gitignore'), 'data/\n');
    await reported();
    await refresh();
    await writeFile(join(root, 'data/x.md'), 'x');
    expect(await reported()).toEqual([]);
    await writeFile(join(root, 'y.md'), 'y');
    expect(await reported()).toEqual(['y.md']);
  });
});

describe('inotifyWatcher at the limits of inotify', () => {
  it("reports lost events if the kernel's queue overflowed while the process was stopped", async () => {
    await start();
    const files = ['a.md', 'b.md'].map((name) => openSync(join(root, name), 'w'));
    // inotify merges consecutive equal events, so two files alternate.
    for (let event = 0; event < 9000; event++) for (const file of files) writeSync(file, 'x');
    await reported();
    expect(lost).toBe(1);
    for (const file of files) closeSync(file);
  });

  it('reports no lost events after a few events', async () => {
    await start();
    const file = openSync(join(root, 'a.md'), 'w');
    for (let event = 0; event < 5000; event++) writeSync(file, 'x');
    closeSync(file);
    await reported();
    expect(lost).toBe(0);
  });

  it('watches each folder of a burst of new ones', async () => {
    await start();
    for (let folder = 0; folder < 1200; folder++) mkdirSync(join(root, `f${folder}`));
    await reported();
    expect(lost).toBeGreaterThan(0);
    await writeFile(join(root, 'f1100/x.md'), 'x');
    expect(await reported()).toEqual(['f1100/x.md']);
  });

  it('refuses a tree with more folders than watches', async () => {
    await mkdir(join(root, 'a/b'), { recursive: true });
    await expect(start({ ...MANY, maxFolders: 2 })).rejects.toEqual(new Unwatchable('limit'));
    await start({ ...MANY, maxFolders: 3 });
    await mkdir(join(root, 'c'));
    expect(await reported()).toEqual(['ended: limit']);
  });
});

describe('inotifyWatcher of two trees that share the watches', () => {
  it('keeps the smaller tree watched and stops watching the larger one', async () => {
    const ended: string[] = [];
    const watcher = inotifyWatcher({ ...MANY, maxFolders: 6 });
    const begin = (at: string, name: string) =>
      watcher.watch(
        at,
        { visit: (path, visit) => visitFolders(at, path, visit) },
        {
          changed: (path) => changed.add(path),
          lost: () => lost++,
          ended: (reason) => ended.push(`${name}: ${reason}`),
        },
      );
    for (const name of ['a', 'b', 'c', 'd']) await mkdir(join(outside, name));
    watch = await begin(root, 'small');
    const large = await begin(outside, 'large');
    await mkdir(join(root, 'new'));
    expect(await reported()).toEqual(['new']);
    expect(ended).toEqual(['large: limit']);
    await writeFile(join(root, 'new/x.md'), 'x');
    expect(await reported()).toEqual(['new/x.md']);
    await large.close();
    await expect(begin(outside, 'again')).rejects.toEqual(new Unwatchable('limit'));
    await writeFile(join(root, 'new/x.md'), 'y');
    expect(await reported()).toEqual(['new/x.md']);
    expect(ended).toEqual(['large: limit']);
  });
});

describe('hasNetworkMount', () => {
  const mounts = readMounts(`22 1 8:1 / / rw - ext4 /dev/sda1 rw
30 22 0:40 / /srv/far\\040away rw - nfs4 host:/ rw
31 22 0:41 / /srv/work/remote rw shared:5 - fuse.sshfs me@host:/ rw
32 22 8:2 / /srv/usb rw - fuseblk /dev/sdb1 rw`);

  it.each([
    ['/srv/far away/notes', true],
    ['/srv/work', true],
    ['/srv/work/local', false],
    ['/srv/usb/notes', false],
    ['/srv/workshop', false],
  ])('returns for %s: %s', (folder, isOne) => {
    expect(hasNetworkMount(mounts, folder)).toBe(isOne);
  });
});

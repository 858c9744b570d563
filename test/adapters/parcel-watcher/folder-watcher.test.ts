import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type SubscribeCallback, subscribe } from '@parcel/watcher';
import { parcelWatcher } from '../../../lib/adapters/parcel-watcher/folder-watcher.ts';
import { type FolderWatch, Unwatchable } from '../../../lib/ports/folder-watcher.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/**
 * Uses the library's Linux backend, which reports one folder in the same way as those of macOS and Windows
 * report a tree.
 */
let root: string;
let watch: FolderWatch | undefined;
let told: Set<string>;

async function start(how?: typeof subscribe): Promise<void> {
  watch = await parcelWatcher(how).watch(
    root,
    { visit: async () => {} },
    {
      changed: (path) => told.add(path),
      lost: () => told.add('(lost)'),
      ended: (reason) => told.add(`(ended: ${reason})`),
    },
  );
}

async function reported(...paths: string[]): Promise<void> {
  await eventually(
    async () => [...told].sort().join(),
    (all) => all === paths.join(),
  );
  told.clear();
}

beforeEach(async () => {
  root = await tempFolder();
  told = new Set();
});
afterEach(async () => {
  await watch?.close();
  watch = undefined;
});

it('parcel watcher reports files that are created, changed, moved, and deleted', async () => {
  await start();
  await writeFile(join(root, 'x.md'), 'x');
  await reported('x.md');
  await writeFile(join(root, 'x.md'), 'y');
  await reported('x.md');
  await rename(join(root, 'x.md'), join(root, 'y.md'));
  await reported('x.md', 'y.md');
  await rm(join(root, 'y.md'));
  await reported('y.md');
});

it('parcel watcher subscribes again after a failure of the library, which ends its subscription on Windows', async () => {
  let fail: SubscribeCallback | undefined;
  let subscriptions = 0;
  await start(async (folder, callback) => {
    subscriptions += 1;
    fail = callback;
    return subscribe(folder, callback);
  });
  fail?.(new Error('Buffer overflow. Some events may have been lost.'), []);
  expect(watch?.unreportedSince()).toBeDefined();
  await reported('(lost)');
  expect(watch?.unreportedSince()).toBeUndefined();
  expect(subscriptions).toBe(2);
  await writeFile(join(root, 'x.md'), 'x');
  await reported('x.md');
});

it("parcel watcher reports that it no longer watches if it can't subscribe again", async () => {
  let fail: SubscribeCallback | undefined;
  await start(async (folder, callback) => {
    if (fail !== undefined) throw new Error('gone');
    fail = callback;
    return subscribe(folder, callback);
  });
  fail?.(new Error('Unknown error'), []);
  await reported('(ended: system)');
});

it('parcel watcher refuses a missing folder', async () => {
  root = join(root, 'missing');
  await expect(start()).rejects.toThrow(Unwatchable);
});

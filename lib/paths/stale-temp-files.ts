import { lstat, mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { withDirectory } from './confine.ts';
import { removeTree } from './remove-tree.ts';
import { asideName, besides, isAsideName, isOfDeadProcess, isTempName } from './temp-name.ts';

/** Milliseconds after which a temporary file belongs to a dead writer. */
const ABANDONED_MS = 60 * 60 * 1000;
/**
 * Milliseconds after which a directory that was moved aside belongs to a process that died between the two
 * renames.
 */
const SET_ASIDE_MS = 60 * 1000;
const FOLDERS_AT_ONCE = 4;

export interface Aside {
  putBack(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Moves a directory aside so that it can be replaced. It keeps its name, in a hidden directory next to its
 * target, so that a later sweep sees whether the replacement happened.
 */
export async function moveAside(entry: string): Promise<Aside> {
  const aside = besides(entry, asideName());
  const kept = `${aside}/${basename(entry)}`;
  await mkdir(aside, { mode: 0o700 });
  await rename(entry, kept).catch(async (error: unknown) => {
    await rmdir(aside);
    throw error;
  });
  return {
    async putBack() {
      await rename(kept, entry);
      await rmdir(aside);
    },
    remove: () => removeTree(aside),
  };
}

/**
 * Cleans up entries that a dead process left under a hidden name (tempName, asideName): restores a directory whose
 * replacement didn't happen, and removes anything else. Skips entries that may still be in use, because their process
 * is alive, or is unknown and the entry isn't old. `entry` is the same as in removeTree.
 */
export async function sweepUnfinished(entry: string, now = Date.now()): Promise<void> {
  const found = await lstat(entry).catch(() => undefined);
  if (found === undefined) return;
  const isAside = found.isDirectory() && isAsideName(basename(entry));
  const isYoung = now - found.ctimeMs <= (isAside ? SET_ASIDE_MS : ABANDONED_MS);
  if (isYoung && !isOfDeadProcess(basename(entry))) return;
  if (isAside) await putBackUnreplaced(entry);
  await removeTree(entry);
}

/**
 * Sweeps all folders below a root, including those that no index walks, level by level and up to
 * `maxFolders`. Doesn't follow links. The next sweep tries unreadable folders again.
 */
export async function sweepTree(root: string, maxFolders = 50_000): Promise<void> {
  let level = [''];
  let left = maxFolders;
  while (level.length > 0 && left > 0) {
    const below: string[] = [];
    await forEachConcurrent(level.slice(0, left), FOLDERS_AT_ONCE, async (folder) => {
      const sweep = (open: string) => sweepFolder(open);
      const names = await withDirectory(root, join(root, folder), sweep).catch(() => []);
      for (const name of names) below.push(join(folder, name));
    });
    left -= level.length;
    level = below;
  }
}

/** Sweeps a folder, and returns its subfolders. */
async function sweepFolder(open: string): Promise<string[]> {
  const entries = await readdir(open, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => isTempName(entry.name)))
    await sweepUnfinished(`${open}/${name}`).catch(() => {});
  return entries.filter((entry) => entry.isDirectory() && !isTempName(entry.name)).map(({ name }) => name);
}

async function putBackUnreplaced(aside: string): Promise<void> {
  const [name, ...others] = await readdir(aside);
  if (name === undefined || others.length > 0) return;
  const place = besides(aside, name);
  if ((await lstat(place).catch(() => undefined)) === undefined) await rename(`${aside}/${name}`, place);
}

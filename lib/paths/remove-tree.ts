import type { Dirent } from 'node:fs';
import { readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { forEachConcurrent } from '../async/for-each-concurrent.ts';
import { withHeld } from './confine.ts';
import { hasCode } from './file-errors.ts';
import { besides } from './temp-name.ts';

/** Maximum nested directories to hold open. Deeper ones are moved up first. */
const MAX_DEPTH = 16;
/** Number of concurrent calls per directory. */
const AT_ONCE = 16;
/**
 * Number of directories to process concurrently, in the top levels only. At most about 200 are open at any
 * time.
 */
const FOLDERS_AT_ONCE = 4;
const UPPER_LEVELS = 2;
/** Maximum rounds, because other processes may be adding entries while a directory is emptied. */
const MAX_ROUNDS = 10;

/**
 * Removes a file, a link, or a directory with its contents; does nothing if it doesn't exist. `entry` is a
 * path from withParent or withDirectory. From there on, each directory is opened by its name in the previous
 * one, and held open. A link that replaces a directory in the meantime is removed, not followed. (Only Linux
 * has such paths; other systems use names.)
 */
export async function removeTree(entry: string): Promise<void> {
  if (process.platform !== 'linux') return rm(entry, { recursive: true, force: true });
  const raised: string[] = [];
  for (let next: string | undefined = entry; next !== undefined; next = raised.pop())
    await removeEntry(next, { depth: 0, raise: (deep) => raise(deep, besides(entry), raised) });
}

interface Level {
  depth: number;
  /** Moves an entry that is too deep to hold open out of its folder, to be removed later. */
  raise(entry: string): Promise<void>;
}

async function raise(entry: string, place: string, raised: string[]): Promise<void> {
  await rename(entry, place);
  raised.push(place);
}

async function removeEntry(entry: string, level: Level): Promise<void> {
  if (!(await isUnlinked(entry))) await removeFolder(entry, level);
}

/** Removes a folder, or whatever has replaced it. */
async function removeFolder(entry: string, level: Level): Promise<void> {
  if (level.depth === MAX_DEPTH) return level.raise(entry).catch(unlessGone);
  try {
    await removeDirectory(entry, level);
  } catch (error) {
    if (!hasCode(error, 'ENOTDIR', 'ELOOP')) throw error;
    await unlink(entry).catch(unlessGone);
  }
}

/** Removes an entry; returns false for a directory. */
async function isUnlinked(entry: string): Promise<boolean> {
  try {
    await unlink(entry);
  } catch (error) {
    if (hasCode(error, 'EISDIR')) return false;
    unlessGone(error);
  }
  return true;
}

async function removeDirectory(entry: string, level: Level): Promise<void> {
  for (let round = 1; ; round++) {
    await withHeld(entry, (directory) => empty(directory, level)).catch(unlessGone);
    try {
      return await rmdir(entry).catch(unlessGone);
    } catch (error) {
      if (round === MAX_ROUNDS || !hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
}

async function empty(directory: string, { depth, raise }: Level): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const [folders, others] = [entries.filter(isFolder), entries.filter((entry) => !isFolder(entry))];
  const below = { depth: depth + 1, raise };
  await forEachConcurrent(others, AT_ONCE, ({ name }) => removeEntry(`${directory}/${name}`, below));
  const atOnce = depth < UPPER_LEVELS ? FOLDERS_AT_ONCE : 1;
  await forEachConcurrent(folders, atOnce, ({ name }) => removeFolder(`${directory}/${name}`, below));
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory();
}

function unlessGone(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

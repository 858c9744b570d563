import type { Dirent } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../paths/file-errors.ts';

/** Matches the name that an NFS client gives to a removed file that a process of this host still has open. */
const HELD = /^\.nfs[0-9a-f]+$/;

/**
 * Removes a folder of tables. LanceDB's session keeps index files open while its cache has room, and can't
 * release them. On NFS, such as EFS, open files prevent the removal of their folders. They disappear when the
 * process ends, so the removal is complete when only open files are left.
 */
export async function removeFolder(
  folder: string,
  removeTree: (folder: string) => Promise<void> = (tree) => rm(tree, { recursive: true, force: true }),
): Promise<void> {
  try {
    await removeTree(folder);
  } catch (error) {
    if (!isNotEmpty(error) || !(await removeUnheld(folder))) throw error;
  }
}

/** Removes a folder. Returns whether only open files are left in it. */
async function removeUnheld(folder: string): Promise<boolean> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const [folders, files] = [all.filter(isFolder), all.filter((entry) => !isFolder(entry))];
  for (const file of files.filter(({ name }) => !HELD.test(name))) await rm(placeOf(file), { force: true });
  const deepestFirst = folders.map(placeOf).sort((a, b) => b.length - a.length);
  for (const place of deepestFirst) await rmdir(place).catch(ignoreNotEmpty);
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  return left.every((entry) => isFolder(entry) || HELD.test(entry.name));
}

function isFolder(entry: Dirent): boolean {
  return entry.isDirectory();
}

function placeOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

function ignoreNotEmpty(error: unknown): void {
  if (!isNotEmpty(error)) throw error;
}

function isNotEmpty(error: unknown): boolean {
  return hasCode(error, 'ENOTEMPTY', 'EBUSY', 'EEXIST');
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Conflict } from '../../errors.ts';
import { withDirectory } from '../../paths/confine.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isTempName } from '../../paths/temp-name.ts';

export interface FoundFile {
  path: string;
  size: number;
  mtimeMs: number;
}

/** Folders that tools create next to a dataset's files. */
const SKIPPED = new Set(['.git', '.cache']);
const FOLDERS_AT_ONCE = 16;
/**
 * Maximum files of a dataset. Its manifest is loaded and returned as a whole, some 85 MB for this many files.
 */
export const MAX_FILES = 500_000;

/**
 * Returns the regular files of a dataset by path. Ignores links. Throws if a folder is unreadable, and
 * Conflict if there are more than `maxFiles`.
 */
export async function walkFiles(root: string, maxFiles = MAX_FILES): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  let level = [''];
  while (level.length > 0) {
    const below: string[] = [];
    for (let start = 0; start < level.length; start += FOLDERS_AT_ONCE) {
      const some = level.slice(start, start + FOLDERS_AT_ONCE);
      below.push(...(await Promise.all(some.map((folder) => walkFolder(root, folder, found)))).flat());
      if (found.length > maxFiles)
        throw new Conflict('dataset_too_many_files', `The dataset has more than ${maxFiles} files.`);
    }
    level = below;
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Adds a folder's files; returns its subfolders. */
async function walkFolder(root: string, folder: string, found: FoundFile[]): Promise<string[]> {
  return withDirectory(root, join(root, folder), (open) => walkOpen(open, folder, found));
}

/**
 * Adds a folder's files, like walkFolder. `open` is a handle of the folder, so a link that replaces the
 * folder has no effect.
 */
async function walkOpen(open: string, folder: string, found: FoundFile[]): Promise<string[]> {
  const entries = await readdir(open, { withFileTypes: true });
  const prefix = folder === '' ? '' : `${folder}/`;
  const files = entries.filter((entry) => entry.isFile() && !isTempName(entry.name));
  const stats = await statAll(files.map(({ name }) => `${open}/${name}`));
  for (const [index, { name }] of files.entries()) {
    const own = stats[index];
    if (own?.isFile()) found.push({ path: prefix + name, size: own.size, mtimeMs: own.mtimeMs });
  }
  const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
  return folders.map(({ name }) => prefix + name);
}

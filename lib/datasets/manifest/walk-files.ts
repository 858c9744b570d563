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

/** Folders that tools keep next to the files of a dataset. */
const SKIPPED = new Set(['.git', '.cache']);
const FOLDERS_AT_ONCE = 16;
/** The most files of a dataset: its manifest is held and answered as a whole, with so many some 85 MB. */
export const MAX_FILES = 500_000;

/**
 * The regular files of a dataset, by path. Links are not followed, nor taken for files. Throws when one cannot be read,
 * and Conflict when there are more than `maxFiles`.
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

/** Returns the folders in it. */
async function walkFolder(root: string, folder: string, found: FoundFile[]): Promise<string[]> {
  return withDirectory(root, join(root, folder), (open) => walkOpen(open, folder, found));
}

/** `open` is the folder held open: a link that comes into its place leads nowhere. */
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

import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ServiceError } from '../../errors.ts';
import { confine } from '../../paths/confine.ts';
import { childOf, entryFolder, entryName } from '../../paths/entry-path.ts';
import { statAll } from '../../paths/stat-all.ts';
import type { LeftOut } from '../schema.ts';
import { readRuleFile } from './ignore-rules.ts';

/** An entry that the walk skipped, or a folder that it didn't enter, which represents everything in it. */
export interface SkippedFile {
  path: string;
  /** In bytes; 0 if it isn't a file. */
  size: number;
  reason: Exclude<LeftOut, 'size' | 'encrypted' | 'broken' | 'lfs_pointer' | 'bibliography'>;
  folder: boolean;
}

/** Node's replacement for each byte of a name that isn't UTF-8. A valid name may contain it too. */
const REPLACEMENT = '\uFFFD';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSPEAKABLE = /[\\\u0000-\u001f\u007f]/;

/**
 * Returns the names of a folder's entries that the API can't represent: they aren't UTF-8, or contain a
 * backslash or a line break.
 */
export async function unspeakableNames(directory: string, names: string[]): Promise<Set<string>> {
  const replaced = names.filter((name) => name.includes(REPLACEMENT));
  const stats = await statAll(replaced.map((name) => `${directory}/${name}`));
  const lost = replaced.filter((_, index) => stats[index] === undefined);
  return new Set([...lost, ...names.filter((name) => UNSPEAKABLE.test(name))]);
}

/**
 * Returns why the walk skips an entry that isn't a regular file or folder. A symlink's target is indexed in its own
 * place.
 */
export async function oddReason(
  root: string,
  path: string,
  entry: Pick<Dirent | Stats, 'isSymbolicLink'>,
): Promise<SkippedFile['reason']> {
  if (!entry.isSymbolicLink()) return 'special';
  try {
    await confine(root, path);
    return 'link';
  } catch (error) {
    return error instanceof ServiceError && error.code === 'path_outside_workspace'
      ? 'link_outside'
      : 'link_broken';
  }
}

/**
 * Returns the entry at a path that the walk would skip because of its type; undefined for a file, a folder, or nothing.
 */
export async function oddEntryAt(root: string, path: string): Promise<SkippedFile | undefined> {
  const names = path.split('/');
  const end = names.findIndex((name) => UNSPEAKABLE.test(name) || name.includes(REPLACEMENT));
  const own = end === -1 ? path : names.slice(0, end + 1).join('/');
  const folder = await confine(root, entryFolder(own)).catch(() => undefined);
  const name = entryName(own);
  if (folder === undefined || name === '' || name === '..' || name === '.') return undefined;
  const place = childOf(relative(root, folder), name);
  const stats = await lstat(join(folder, name)).catch(() => undefined);
  const entry = stats ?? (name.includes(REPLACEMENT) ? await entryOf(folder, name) : undefined);
  if (entry === undefined) return undefined;
  const isFolder = entry.isDirectory();
  if (stats === undefined || UNSPEAKABLE.test(name))
    return { path: place, size: 0, reason: 'name', folder: isFolder };
  if (isFolder || entry.isFile()) return undefined;
  return { path: place, size: 0, reason: await oddReason(root, place, entry), folder: false };
}

/** Returns the folder's entry that is listed by this name but can't be opened by it. */
async function entryOf(folder: string, name: string): Promise<Dirent | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.find((entry) => entry.name === name);
}

const SUBMODULES = '.gitmodules';
const SUBMODULE_PATH = /^[ \t]*path[ \t]*=[ \t]*(\S.*)$/gm;

/**
 * Returns true if an empty folder is a git submodule that wasn't fetched. A repository above it lists the
 * submodule.
 */
export async function isSubmodule(root: string, folder: string): Promise<boolean> {
  const names = folder.split('/');
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const above = names.slice(0, depth).join('/');
    const text = await readRuleFile(root, childOf(above, SUBMODULES));
    const below = names.slice(depth).join('/');
    if ([...text.matchAll(SUBMODULE_PATH)].some(([, path]) => path?.trim() === below)) return true;
  }
  return false;
}

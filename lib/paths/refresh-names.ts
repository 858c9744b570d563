import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hasCode } from './file-errors.ts';

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Opens a directory briefly, so that NFS asks the server for changes in it. Otherwise, a host caches for up
 * to a minute that a name is missing, and misses entries that another host created. Returns false if the
 * directory doesn't exist.
 */
export async function refreshNames(folder: string): Promise<boolean> {
  try {
    await using _ = await open(folder, DIRECTORY);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** Refreshes the names of each existing directory from `top` down to the parent of the path. */
export async function refreshNamesTo(top: string, path: string): Promise<void> {
  let folder = top;
  for (const name of ['', ...relative(top, dirname(path)).split(sep)]) {
    folder = join(folder, name);
    if (!(await refreshNames(folder))) return;
  }
}

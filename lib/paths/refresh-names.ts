import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hasCode } from './file-errors.ts';

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Opens a directory for a moment, which has NFS ask the server what changed in it: a host caches for up to a minute that a
 * name is missing, and then fails to find what another host made. False if there is no such directory.
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

/** Does this for each directory from `top` down to the one that has the path, as far as they exist. */
export async function refreshNamesTo(top: string, path: string): Promise<void> {
  let folder = top;
  for (const name of ['', ...relative(top, dirname(path)).split(sep)]) {
    folder = join(folder, name);
    if (!(await refreshNames(folder))) return;
  }
}

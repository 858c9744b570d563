import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isPathHere, NO_PATH_HERE } from '../../lib/api-contract/pasted.ts';
import type { Config } from '../../lib/config.ts';
import { noneIfMissing } from '../../lib/paths/file-errors.ts';
import { StartError } from './data-folder.ts';

/**
 * Adds the folders given at the start to WORKSPACE_ROOTS, which every thread reads. Relative paths start from
 * the person's current folder; npm runs the program elsewhere, but passes that folder. Throws StartError
 * unless each path is a folder.
 */
export async function addRoots({ workspaceRoots }: Config, named: string[]): Promise<void> {
  if (named.length === 0) return;
  const folders = named.map((folder) => locate(folder));
  for (const folder of folders) await requireFolder(folder);
  process.env.WORKSPACE_ROOTS = [...new Set([...workspaceRoots, ...folders])].join(',');
  process.env.NAMED_ROOTS = folders.filter((folder) => !workspaceRoots.includes(folder)).join(',');
}

function locate(folder: string): string {
  if (folder === '' || !isPathHere(folder)) throw new StartError(`The folder ${folder} ${NO_PATH_HERE}.`);
  const { INIT_CWD: start = '' } = process.env; // set by npm
  const path = resolve(start, folder);
  if (path.includes(',')) throw new StartError(`The path ${path} contains a comma. Rename the folder.`);
  return path;
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(noneIfMissing);
  if (found?.isDirectory()) return;
  throw new StartError(
    `${folder} ${found === undefined ? 'does not exist. Name an existing folder.' : "isn't a folder."}`,
  );
}

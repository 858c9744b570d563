import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { childOf } from '../../paths/entry-path.ts';
import { isTempName } from '../../paths/temp-name.ts';
import { lookAt } from './entry-state.ts';
import type { Change, KeptRun } from './kept-run.ts';

/**
 * Matches Git's own names in a `.git` folder or that of a submodule: loose objects, packs, and files derived
 * from them.
 */
const OBJECTS =
  /^(?:\/modules\/.+)?\/objects(?:\/(?:[0-9a-f]{2}(?:\/[0-9a-f]+)?|pack(?:\/[^/]+)?|info(?:\/[^/]+){0,2}))?$/;

/** Returns the `.git` folder that the path names, or is in. */
export function gitFolderOf(path: string): string | undefined {
  const names = path.split('/');
  const at = names.indexOf('.git');
  return at === -1 ? undefined : names.slice(0, at + 1).join('/');
}

/**
 * Joins the changes in each `.git` folder, because its files refer to each other. If one was changed after
 * the run, they are undone only by force. Omits objects that the run added to a repository: later commits may
 * need them, and Git removes unused ones itself.
 */
export async function joinGitFolders(root: string, kept: KeptRun, changes: Change[]): Promise<Change[]> {
  const joined: Change[] = [];
  for (const [folder, some] of Map.groupBy(changes, ({ path }) => gitFolderOf(path)))
    joined.push(...(folder === undefined ? some : await joinOne(root, kept, folder, some)));
  return joined;
}

async function joinOne(root: string, kept: KeptRun, folder: string, changes: Change[]): Promise<Change[]> {
  const before = kept.paths.get(folder)?.before.kind ?? 'folder';
  const isNew = before !== 'folder' && before !== 'other';
  const isShared = isNew && (await hasOthers(root, kept, folder));
  const isAdded = ({ path, change }: Change) =>
    change === 'created' && OBJECTS.test(path.slice(folder.length));
  const rest = isNew && !isShared ? changes : changes.filter((change) => !isAdded(change));
  if (!isShared && !rest.some(({ undo }) => undo === 'conflict')) return rest;
  return rest.map((change) => (change.undo === 'possible' ? { ...change, undo: 'conflict' } : change));
}

/**
 * Returns whether a repository that the run created contains anything that others created. Stops at the first
 * such entry.
 */
async function hasOthers(root: string, kept: KeptRun, folder: string): Promise<boolean> {
  if ((await lookAt(root, folder)).kind !== 'folder') return false;
  const folders = [folder];
  for (const one of folders)
    for (const entry of await entriesIn(join(root, one))) {
      const path = childOf(one, entry.name);
      if (!kept.paths.has(path)) return true;
      if (entry.isDirectory()) folders.push(path);
    }
  return false;
}

async function entriesIn(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter(({ name }) => !isTempName(name));
}

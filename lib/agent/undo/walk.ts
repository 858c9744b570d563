import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_DEPTH, withDirectory } from '../../paths/confine.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isTempName } from '../../paths/temp-name.ts';
import { type EntryState, stateOf } from './entry-state.ts';

/** Entries that are known at most. Deeper folders, and those of packages, are left out first. */
const MAX_ENTRIES = 100_000;
const FOLDERS_AT_ONCE = 16;
const PACKAGES = new Set(['node_modules', '.venv', 'venv', 'site-packages']);

export interface Walked {
  states: Map<string, EntryState>;
  /** Folders that were not read: nothing is known of what is in them. */
  unread: Set<string>;
}

/** Looks at every entry of a workspace, hidden ones too, at one stat per entry. */
export async function walkWorkspace(root: string): Promise<Walked> {
  const walked: Walked = { states: new Map(), unread: new Set() };
  const last: string[] = [];
  let level = [''];
  while (level.length > 0 || last.length > 0) {
    if (level.length === 0) level = last.splice(0);
    const below: string[] = [];
    for (let start = 0; start < level.length; start += FOLDERS_AT_ONCE) {
      const some = level.slice(start, start + FOLDERS_AT_ONCE);
      const read = await Promise.all(some.map((folder) => readFolder(root, folder)));
      for (const [index, entries] of read.entries()) below.push(...take(walked, some[index] ?? '', entries));
    }
    last.push(...below.filter(isPackages));
    level = below.filter((path) => !isPackages(path));
  }
  return walked;
}

function isPackages(path: string): boolean {
  return PACKAGES.has(path.slice(path.lastIndexOf('/') + 1));
}

type Entries = [path: string, state: EntryState][];

async function readFolder(root: string, folder: string): Promise<Entries | undefined> {
  try {
    return await withDirectory(root, join(root, folder), async (directory) => {
      const names = (await readdir(directory)).filter((name) => !isTempName(name));
      const stats = await statAll(names.map((name) => `${directory}/${name}`));
      const entries: Entries = [];
      for (const [index, name] of names.entries()) {
        const state = await stateOf(`${directory}/${name}`, stats[index]).catch(() => undefined);
        if (state !== undefined && state.kind !== 'none')
          entries.push([folder === '' ? name : `${folder}/${name}`, state]);
      }
      return entries;
    });
  } catch {
    return undefined;
  }
}

/** Returns the folders below. */
function take({ states, unread }: Walked, folder: string, entries: Entries | undefined): string[] {
  const isTooMuch =
    states.size + (entries?.length ?? 0) > MAX_ENTRIES || folder.split('/').length > MAX_DEPTH;
  if (entries === undefined || isTooMuch) {
    unread.add(folder);
    return [];
  }
  for (const [path, state] of entries) states.set(path, state);
  return entries.flatMap(([path, { kind }]) => (kind === 'folder' ? [path] : []));
}

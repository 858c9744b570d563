import { join } from 'node:path';
import { entryFolder } from '../../paths/entry-path.ts';
import { statOf } from './entry-state.ts';

interface OwnChange {
  /** When the folder was last changed by anyone else. */
  others: number;
  /** The folder's time after the change of a run. */
  after: number;
}

const MOST_FOLDERS = 10_000;
const ownChanges = new Map<string, OwnChange>();

/** Makes a change of these paths for a run. Afterwards, their folders don't count as changed by someone else. */
export async function noteFolderTimes<Result>(
  root: string,
  paths: string[],
  make: () => Promise<Result>,
): Promise<Result> {
  const folders = [...new Set(paths.map((path) => join(root, entryFolder(path))))];
  const before = await Promise.all(folders.map(othersChangedAt));
  try {
    return await make();
  } finally {
    for (const [index, folder] of folders.entries()) await note(folder, before[index] ?? 0);
  }
}

async function note(folder: string, others: number): Promise<void> {
  const after = await timeOf(folder);
  ownChanges.delete(folder);
  if (after !== undefined && after !== others) ownChanges.set(folder, { others, after });
  for (const oldest of ownChanges.keys()) {
    if (ownChanges.size <= MOST_FOLDERS) return;
    ownChanges.delete(oldest);
  }
}

async function othersChangedAt(folder: string): Promise<number | undefined> {
  const time = await timeOf(folder);
  const own = ownChanges.get(folder);
  return own?.after === time ? own?.others : time;
}

async function timeOf(folder: string): Promise<number | undefined> {
  return (await statOf(folder).catch(() => undefined))?.ctimeMs;
}

/** Returns a function that tells when a path may have disappeared at the latest: when the nearest folder left was changed. */
export function goneTimes(root: string): (path: string) => Promise<number> {
  const times = new Map<string, Promise<number>>();
  const changedIn = async (folder: string): Promise<number> => {
    const time = await othersChangedAt(join(root, folder));
    return time ?? (folder === '' ? 0 : timeIn(entryFolder(folder)));
  };
  const timeIn = (folder: string): Promise<number> => {
    const time = times.get(folder) ?? changedIn(folder);
    times.set(folder, time);
    return time;
  };
  return (path) => timeIn(entryFolder(path));
}

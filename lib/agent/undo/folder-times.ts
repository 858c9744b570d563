import { join } from 'node:path';
import { entryFolder } from '../../paths/entry-path.ts';
import { statOf } from './entry-state.ts';

interface OwnChange {
  /** When the folder was last changed by anyone else. */
  others: number;
  /** The folder's time after the latest change of a run. */
  after: number;
  /** Changes that runs make now: until they end, no time of the folder tells anything. */
  working: number;
}

const MOST_FOLDERS = 10_000;
const ownChanges = new Map<string, OwnChange>();

/** Makes a change of these paths for a run. Their folders then don't count as changed by someone else. */
export async function noteFolderTimes<Result>(
  root: string,
  paths: string[],
  make: () => Promise<Result>,
): Promise<Result> {
  const folders = [...new Set(paths.map((path) => join(root, entryFolder(path))))];
  for (const folder of folders) await begin(folder);
  try {
    return await make();
  } finally {
    for (const folder of folders) await end(folder);
    forgetOldest();
  }
}

async function begin(folder: string): Promise<void> {
  const others = (await othersChangedAt(folder)) ?? 0;
  const own = ownChanges.get(folder);
  if (own !== undefined && own.working > 0) own.working += 1;
  else ownChanges.set(folder, { others, after: -1, working: 1 });
}

async function end(folder: string): Promise<void> {
  const after = (await timeOf(folder)) ?? -1;
  const own = ownChanges.get(folder);
  if (own === undefined) return;
  ownChanges.delete(folder);
  ownChanges.set(folder, { ...own, after, working: own.working - 1 });
}

function forgetOldest(): void {
  for (const [folder, { working }] of ownChanges) {
    if (ownChanges.size <= MOST_FOLDERS) return;
    if (working === 0) ownChanges.delete(folder);
  }
}

async function othersChangedAt(folder: string): Promise<number | undefined> {
  const time = await timeOf(folder);
  const own = ownChanges.get(folder);
  if (time === undefined || own === undefined) return time;
  return own.working > 0 || own.after === time ? own.others : time;
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

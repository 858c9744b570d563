import type { Entry } from '../tree-rows.ts';
import type { Dropped } from './interrupted-uploads.ts';

const AT_ONCE = 3;

/** New files that already exist, by path. */
export interface AlreadyThere {
  /** Paths of files with the same bytes. */
  same: Set<string>;
  other: string[];
}

type Listed = (folder: string) => Promise<readonly Pick<Entry, 'path' | 'type' | 'size'>[]>;

/** Finds new files that already exist. Lists each folder once, and compares only files with the same name and size. */
export async function alreadyThere(
  dropped: readonly Dropped[],
  listed: Listed,
  isSame: (dropped: Dropped) => Promise<boolean>,
): Promise<AlreadyThere> {
  const there = await entriesAt(dropped, listed);
  const left = dropped.filter((each) => hasSameSize(each, there));
  const same = new Set<string>();
  const compare = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      if (await isSame(next)) same.add(next.path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compare));
  const other = dropped.flatMap(({ path }) => (there.has(path) && !same.has(path) ? [path] : []));
  return { same, other };
}

/**
 * Returns whether a folder has at least half of these files, by name and size, which means that they were
 * probably dropped before.
 */
export async function hasMost(dropped: readonly Dropped[], listed: Listed): Promise<boolean> {
  const there = await entriesAt(dropped, listed);
  return 2 * dropped.filter((each) => hasSameSize(each, there)).length >= dropped.length;
}

async function entriesAt(dropped: readonly Dropped[], listed: Listed) {
  const folders = new Set(dropped.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  const found = new Map<string, Pick<Entry, 'type' | 'size'>>();
  for (const folder of folders) for (const entry of await listed(folder)) found.set(entry.path, entry);
  return found;
}

function hasSameSize({ path, file }: Dropped, there: Map<string, Pick<Entry, 'type' | 'size'>>): boolean {
  const entry = there.get(path);
  return entry?.type === 'file' && entry.size === file.size;
}

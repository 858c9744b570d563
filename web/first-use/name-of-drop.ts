import type { Dropped } from '../files/uploads/interrupted-uploads.ts';

/** The files of a new workspace, and its folder name. */
export interface NamedDrop {
  /** The last segment of the folder's path. */
  folder: string;
  /** True if the dropped files have no common name, so that the person should name the workspace. */
  isUnnamed: boolean;
  files: Dropped[];
}

const MAX_NAME = 80;

/**
 * Names the workspace of dropped files. If one folder was dropped, the workspace has its name and contents.
 * Otherwise, a single file provides the name, and several files get a folder named after the day.
 */
export function nameDrop(dropped: Dropped[], now: Date): NamedDrop {
  const tops = new Set(dropped.map(({ path }) => topOf(path)));
  const [top = ''] = tops;
  if (tops.size === 1 && top !== '') {
    const files = dropped.map(({ path, file }) => ({ path: path.slice(top.length + 1), file }));
    return { ...named(asFolder(top), now), files };
  }
  const [only] = dropped;
  const name = dropped.length === 1 && only !== undefined ? withoutEnding(only.path) : undefined;
  return { ...named(name && asFolder(name), now), files: dropped };
}

function named(folder: string | undefined, now: Date): Pick<NamedDrop, 'folder' | 'isUnnamed'> {
  return { folder: folder ?? dayName(now), isUnnamed: folder === undefined };
}

/** Returns a name that no listed workspace has: the wanted one, or the same with a number. */
export function freeName(wanted: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Returns the first folder of a path; empty for a file without one. */
function topOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

function withoutEnding(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

/** Returns a valid folder name; undefined for a hidden name, or one that consists only of dots and spaces. */
function asFolder(name: string): string | undefined {
  const trimmed = name
    .replace(/[\\\p{Cc}]/gu, ' ')
    .trim()
    .replace(/^\.+/, '');
  const short = [...trimmed].slice(0, MAX_NAME).join('').trim();
  return short === '' ? undefined : short;
}

function dayName(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `files-${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

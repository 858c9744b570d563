import type { Stats } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withDirectory } from '../../paths/confine.ts';
import { childOf, isPackageFolder } from '../../paths/entry-path.ts';
import { versionOf } from '../../paths/file-version.ts';
import { statAll } from '../../paths/stat-all.ts';
import { isTempName } from '../../paths/temp-name.ts';
import type { FolderMount } from '../../ports/commands.ts';
import { BROUGHT } from './brought-limits.ts';
import type { ListedEntry } from './command-message.ts';

/** The location from which a file in the list is read. */
export interface FileSource {
  root: string;
  path: string;
}

export interface Listed {
  entries: ListedEntry[];
  /** One source per entry, in the same order. */
  sources: FileSource[];
  /** Entries that commands can't see, each with the reason. */
  leftOut: string[];
}

/** Number of folders that are read concurrently. */
const FOLDERS_AT_ONCE = 16;
const MAX_DEPTH = 100;
const MAX_PATH_BYTES = 4000;

interface Folder extends FileSource {
  /** The path that the command sees. */
  shown: string;
  depth: number;
}

/**
 * Lists the files that a command sees in a workspace and in the folders mounted in it, with one stat per file. Folders
 * near the top come first; beyond the limits, the deepest and the largest files are omitted.
 */
export async function listWorkspace(root: string, mounts: FolderMount[]): Promise<Listed> {
  const listed: Listed = { entries: [], sources: [], leftOut: [] };
  await listBelow([{ root, path: '', shown: '', depth: 0 }], listed, (path) => isMounted(root, mounts, path));
  for (const { source, target } of mounts) {
    const shown = target.slice(root.length + 1);
    addFolders(shown, listed);
    await listBelow([{ root: source, path: '', shown, depth: 0 }], listed, () => false);
  }
  return leaveOutLargest(listed);
}

/** Returns whether a mount hides the workspace's own entry at that path. */
function isMounted(root: string, mounts: FolderMount[], path: string): boolean {
  return mounts.some(({ target }) => target === join(root, path));
}

function addFolders(path: string, { entries, sources }: Listed): void {
  const there = new Set(entries.map((entry) => entry.path));
  const parts = path.split('/');
  for (const [index] of parts.entries()) {
    const shown = parts.slice(0, index + 1).join('/');
    if (there.has(shown)) continue;
    entries.push({ path: shown, kind: 'folder', version: '', size: 0, mtimeMs: 0, executable: false });
    sources.push({ root: '', path: '' });
  }
}

async function listBelow(
  first: Folder[],
  listed: Listed,
  isHidden: (path: string) => boolean,
): Promise<void> {
  const last: Folder[] = [];
  let level = first;
  while (level.length > 0 || last.length > 0) {
    if (level.length === 0) level = last.splice(0);
    const below: Folder[] = [];
    for (let start = 0; start < level.length; start += FOLDERS_AT_ONCE) {
      const some = level.slice(start, start + FOLDERS_AT_ONCE);
      for (const found of await Promise.all(some.map(readFolder)))
        below.push(...take(found, listed).filter(({ shown }) => !isHidden(shown)));
    }
    last.push(...below.filter(({ shown }) => isPackageFolder(shown)));
    level = below.filter(({ shown }) => !isPackageFolder(shown));
  }
}

interface Found {
  folder: Folder;
  /** Undefined if the folder is unreadable. */
  entries: ListedEntry[] | undefined;
}

async function readFolder(folder: Folder): Promise<Found> {
  const { root, path, shown } = folder;
  try {
    const entries = await withDirectory(root, join(root, path), async (directory) => {
      const names = (await readdir(directory)).filter((name) => !isTempName(name));
      const stats = await statAll(names.map((name) => `${directory}/${name}`));
      const found = names.map((name, index) =>
        describe(`${directory}/${name}`, childOf(shown, name), stats[index]),
      );
      return (await Promise.all(found)).filter((entry) => entry !== undefined);
    });
    return { folder, entries };
  } catch {
    return { folder, entries: undefined };
  }
}

async function describe(
  place: string,
  path: string,
  stats: Stats | undefined,
): Promise<ListedEntry | undefined> {
  if (stats === undefined) return undefined;
  if (stats.isFile()) return entryOf(path, 'file', stats);
  if (stats.isDirectory()) return entryOf(path, 'folder', stats);
  if (!stats.isSymbolicLink()) return undefined;
  const target = await readlink(place).catch(() => undefined);
  return target === undefined ? undefined : { ...entryOf(path, 'link', stats), target };
}

/** Converts a stat to the form in which both sides compare entries. */
export function entryOf(path: string, kind: ListedEntry['kind'], stats: Stats): ListedEntry {
  return {
    path,
    kind,
    version: kind === 'folder' ? '' : versionOf(stats),
    size: kind === 'file' ? stats.size : 0,
    mtimeMs: Math.round(stats.mtimeMs),
    executable: kind === 'file' && (stats.mode & 0o100) !== 0,
  };
}

/** Adds either all entries of a folder, or none. Returns its subfolders. */
function take({ folder, entries }: Found, listed: Listed): Folder[] {
  const name = folder.shown === '' ? 'the workspace' : `${folder.shown}/`;
  if (entries === undefined) listed.leftOut.push(`${name} (can't be read)`);
  else if (folder.depth > MAX_DEPTH) listed.leftOut.push(`${name} (too deep)`);
  else if (listed.entries.length + entries.length > BROUGHT.entries)
    listed.leftOut.push(`${name} (more than ${BROUGHT.entries} files in total)`);
  else return takeAll(folder, entries, listed);
  return [];
}

function takeAll(folder: Folder, entries: ListedEntry[], listed: Listed): Folder[] {
  const below: Folder[] = [];
  for (const entry of entries) {
    const source = { root: folder.root, path: folder.path + entry.path.slice(folder.shown.length) };
    if (source.path.startsWith('/')) source.path = source.path.slice(1);
    if (Buffer.byteLength(entry.path) > MAX_PATH_BYTES || !entry.path.isWellFormed()) {
      listed.leftOut.push(`${entry.path.slice(0, 200)} (its path can't be used)`);
      continue;
    }
    listed.entries.push(entry);
    listed.sources.push(source);
    if (entry.kind === 'folder') below.push({ ...source, shown: entry.path, depth: folder.depth + 1 });
  }
  return below;
}

function leaveOutLargest(listed: Listed): Listed {
  const left = new Set<number>();
  let bytes = 0;
  for (const { index, size } of listed.entries.map(({ size }, index) => ({ index, size })).sort(bySize)) {
    bytes += size;
    if (size > BROUGHT.fileBytes || bytes > BROUGHT.bytes) left.add(index);
  }
  if (left.size === 0) return listed;
  const names = [...left]
    .map((index) => listed.entries[index])
    .map((entry) => `${entry?.path} (${Math.round((entry?.size ?? 0) / 1024 / 1024)} MB)`);
  const isKept = (_: unknown, index: number) => !left.has(index);
  return {
    entries: listed.entries.filter(isKept),
    sources: listed.sources.filter(isKept),
    leftOut: [...listed.leftOut, ...names],
  };
}

function bySize(a: { size: number }, b: { size: number }): number {
  return a.size - b.size;
}

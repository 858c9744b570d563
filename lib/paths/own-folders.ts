import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from './confine.ts';

/** The service's own folders; access to one of them, or to a parent folder, could change the service. */
export interface OwnFolders {
  /** The folders of its data and its code. */
  closed: string[];
  /** The part of these folders that workspaces may use anyway: the default root. */
  open: string;
}

/**
 * One value for the whole process, which has one configuration, because a code path that forgot to pass it would be a
 * security hole.
 */
let own: OwnFolders = { closed: [], open: '' };

/**
 * Milliseconds after which the folders' real locations are looked up again, because every request needs them, and only
 * the operator can move them.
 */
const FRESH_MS = 1000;
let resolved: { folders: Promise<OwnFolders>; until: number } | undefined;

/**
 * Keeps workspaces out of these folders from now on: no workspace may be, contain, or be inside one of them. Called
 * before the records are opened, and so before any workspace is found.
 */
export function closeOwnFolders(folders: OwnFolders): void {
  own = folders;
  resolved = undefined;
}

function resolveOwn(): Promise<OwnFolders> {
  const now = performance.now();
  if (resolved !== undefined && now < resolved.until) return resolved.folders;
  const folders = Promise.all([...own.closed.map(realOrSame), realOrSame(own.open)]).then((found) => ({
    closed: found.slice(0, -1),
    open: found.at(-1) ?? own.open,
  }));
  resolved = { folders, until: now + FRESH_MS };
  return folders;
}

/** Returns whether a real location is, contains, or is inside a folder of the service. */
export async function isOwnPlace(location: string): Promise<boolean> {
  return (await placeByOwn(location)) !== 'apart';
}

/** Returns whether a real location is or is `inside` a folder of the service, is `around` one, or is `apart`. */
export async function placeByOwn(location: string): Promise<'inside' | 'around' | 'apart'> {
  const { closed, open } = await resolveOwn();
  const isOpen = (folder: string) => isInside(folder, open) && isInside(open, location);
  if (closed.some((folder) => isInside(folder, location) && !isOpen(folder))) return 'inside';
  return closed.some((folder) => isInside(location, folder)) ? 'around' : 'apart';
}

/** Like isOwnPlace, for a folder that may have become a link in the meantime. */
export async function leadsToOwnPlace(folder: string): Promise<boolean> {
  return isOwnPlace(await realOrSame(folder));
}

/** Returns the real path, or the same path for a folder that doesn't exist yet. */
async function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/**
 * Returns the folder of the service's own code: the nearest one with a package.json, from the source or from the build;
 * without one, as on Lambda, the folder itself.
 */
export function packageFolder(from: string, otherwise = from): string {
  if (existsSync(join(from, 'package.json'))) return from;
  return dirname(from) === from ? otherwise : packageFolder(dirname(from), otherwise);
}

/**
 * Returns the folder of the service's code and its packages, which no workspace may be in or contain. npm installs the
 * packages of an installed package next to it, in one `node_modules`.
 */
export function codeFolder(from: string): string {
  const own = packageFolder(from);
  return basename(dirname(own)) === 'node_modules' ? dirname(own) : own;
}

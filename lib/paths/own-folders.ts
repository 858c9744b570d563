import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from './confine.ts';

/** The service's own folders. Access to one of them, or to a folder above it, could change the service. */
export interface OwnFolders {
  /** The folders of its data and its code. */
  closed: string[];
  /** The part of these folders that workspaces may use: the default root. */
  open: string;
}

/**
 * A single value for the whole process, because a code path that forgot to pass it on would be a security
 * hole.
 */
let own: OwnFolders = { closed: [], open: '' };

/**
 * Milliseconds after which the folders' real locations are looked up again. Every request needs them, and
 * only the operator can move them.
 */
const FRESH_MS = 1000;
let resolved: { folders: Promise<OwnFolders>; until: number } | undefined;

/**
 * Keeps workspaces out of these folders from now on: a workspace may not be, contain, or be inside one of
 * them. Called before the records are opened, and so before any workspace is found.
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

/**
 * Returns how a real location relates to the service's folders: `inside` means that it is or is in one,
 * `around` that it contains one, `apart` neither.
 */
export async function placeByOwn(location: string): Promise<'inside' | 'around' | 'apart'> {
  const { closed, open } = await resolveOwn();
  const isOpen = (folder: string) => isInside(folder, open) && isInside(open, location);
  if (closed.some((folder) => isInside(folder, location) && !isOpen(folder))) return 'inside';
  return closed.some((folder) => isInside(location, folder)) ? 'around' : 'apart';
}

/** Does the same as isOwnPlace, for a folder that may have become a link in the meantime. */
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

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from './confine.ts';

/** The folders of the service itself: who works in one of them, or around it, changes the service. */
export interface OwnFolders {
  /** Its data and its code. */
  closed: string[];
  /** What lies in them for workspaces all the same: the default root. */
  open: string;
}

/**
 * Kept for the whole process, which has one configuration: a way into a workspace that forgot to pass them on would be
 * open.
 */
let own: OwnFolders = { closed: [], open: '' };

/** Where they really are is asked again after this: every request asks, and only who runs the service can move them. */
const FRESH_MS = 1000;
let resolved: { folders: Promise<OwnFolders>; until: number } | undefined;

/**
 * Keeps workspaces out of these folders from now on: none is one of them, holds one or lies in one. Whoever opens the
 * records calls this, before any workspace is found.
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

/** Whether a real location is, holds or lies in a folder of the service itself. */
export async function isOwnPlace(location: string): Promise<boolean> {
  const { closed, open } = await resolveOwn();
  return closed.some((folder) => {
    if (isInside(location, folder)) return true;
    const isOpen = isInside(folder, open) && isInside(open, location);
    return isInside(folder, location) && !isOpen;
  });
}

/** The same for a folder that may have become a link meanwhile. */
export async function leadsToOwnPlace(folder: string): Promise<boolean> {
  return isOwnPlace(await realOrSame(folder));
}

/** One that is not there is nobody's yet. */
async function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/**
 * The folder of the service's own code: the nearest with a package.json, from the source or from what was built of it;
 * where there is none, as on Lambda, the folder itself.
 */
export function packageFolder(from: string, otherwise = from): string {
  if (existsSync(join(from, 'package.json'))) return from;
  return dirname(from) === from ? otherwise : packageFolder(dirname(from), otherwise);
}

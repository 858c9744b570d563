import { lstat, mkdir, readdir, readFile, realpath, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside, withParent } from '../../paths/confine.ts';
import type { FolderMount } from '../../ports/commands.ts';

export interface MountTargets {
  /** The folders that can be mounted. */
  mounts: FolderMount[];
  /** Takes the empty folders away again. */
  close(): Promise<void>;
}

/**
 * A mount needs a folder to cover, and a workspace has none for a linked dataset: it's created for the time of the command,
 * and removed with the last command that uses it. So a person sees an empty folder for that time, and Git nothing.
 * Omits what can't be shown safely: a source that is a link by now, a target that contains anything but a folder.
 */
export async function openTargets(mounts: FolderMount[], writable: string[]): Promise<MountTargets> {
  const opened: FolderMount[] = [];
  for (const mount of mounts) {
    const root = writable.find((folder) => folder !== mount.target && isInside(folder, mount.target));
    if (root !== undefined && (await isItself(mount.source)) && (await makeTarget(root, mount.target)))
      opened.push(mount);
  }
  return { mounts: opened, close: () => closeTargets(opened, writable) };
}

async function isItself(source: string): Promise<boolean> {
  return (await realpath(source).catch(() => undefined)) === source;
}

/** Never through a link. */
async function makeTarget(root: string, target: string): Promise<boolean> {
  const make = async (entry: string) => {
    await mkdir(entry).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return (await lstat(entry)).isDirectory();
  };
  return withParent(root, target, make, { make: true }).catch(() => false);
}

async function closeTargets(mounts: FolderMount[], writable: string[]): Promise<void> {
  if (mounts.length === 0) return;
  const inUse = await mountedElsewhere();
  for (const { target } of mounts) {
    const root = writable.find((folder) => isInside(folder, target));
    if (root === undefined || inUse.some((point) => point.endsWith(target))) continue;
    // Only what is empty can be removed so.
    await withParent(root, target, (entry) => rmdir(entry)).catch(() => {});
    await withParent(root, dirname(target), (entry) => rmdir(entry)).catch(() => {});
  }
}

/** Returns the mounts of other commands: removing the folder would remove their mount. */
async function mountedElsewhere(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const tables = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '')),
  );
  const points = [...new Set(tables)].flatMap((table) =>
    table.split('\n').map((line) => line.split(' ')[4] ?? ''),
  );
  return [...new Set(points)].map((point) =>
    point.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
  );
}

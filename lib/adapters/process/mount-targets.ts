import { lstat, mkdir, readdir, readFile, realpath, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside, withParent } from '../../paths/confine.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import type { FolderMount } from '../../ports/commands.ts';
import { unescapeField } from './namespaces.ts';

/**
 * The number of commands of this process per target. The mount table lacks the mounts of commands that haven't
 * started yet.
 */
const users = new Map<string, number>();

/**
 * Runs work with the mounts that are possible. A mount needs a folder to cover, and a workspace has no folder for
 * a linked dataset. This creates that folder for the command, and removes it with the last command that uses it.
 * In the meantime, people see an empty folder, and Git sees nothing. Omits mounts that aren't safe: a source
 * that has become a link, or a target that contains anything but a folder.
 */
export async function withTargets<Result>(
  mounts: FolderMount[],
  writable: string[],
  work: (mounts: FolderMount[]) => Promise<Result>,
): Promise<Result> {
  const opened: { root: string; mount: FolderMount }[] = [];
  try {
    for (const mount of mounts) {
      const { source, target } = mount;
      const root = writable.find((folder) => folder !== target && isInside(folder, target));
      if (root !== undefined && (await isItself(source)) && (await useTarget(root, target)))
        opened.push({ root, mount });
    }
    return await work(opened.map(({ mount }) => mount));
  } finally {
    let points: Promise<string[]> | undefined;
    const mountedElsewhere = () => (points ??= readAllMountPoints());
    for (const { root, mount } of opened) await leaveTarget(root, mount.target, mountedElsewhere);
  }
}

async function isItself(source: string): Promise<boolean> {
  return (await realpath(source).catch(() => undefined)) === source;
}

async function useTarget(root: string, target: string): Promise<boolean> {
  return whileUnchanged(target, async () => {
    const made = await makeTarget(root, target);
    if (made) users.set(target, (users.get(target) ?? 0) + 1);
    return made;
  });
}

/** Removes the folder, unless a command of another process uses it, because this would remove its mount. */
async function leaveTarget(
  root: string,
  target: string,
  mountedElsewhere: () => Promise<string[]>,
): Promise<void> {
  return whileUnchanged(target, async () => {
    const left = (users.get(target) ?? 1) - 1;
    if (left > 0) {
      users.set(target, left);
      return;
    }
    users.delete(target);
    const points = await mountedElsewhere();
    if (!points.some((point) => point.endsWith(target))) await removeTarget(root, target);
  });
}

/** Locks the parent folder, which exists while it has a target. */
function whileUnchanged<Result>(target: string, work: () => Promise<Result>): Promise<Result> {
  return withPathLock(`mounts ${dirname(target)}`, work);
}

/** Creates the target, without following any link. */
async function makeTarget(root: string, target: string): Promise<boolean> {
  const make = async (entry: string) => {
    await mkdir(entry).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return (await lstat(entry)).isDirectory();
  };
  return withParent(root, target, make, { make: true }).catch(() => false);
}

/** Removes the target, and those of its parents that are empty. */
async function removeTarget(root: string, target: string): Promise<void> {
  await withParent(root, target, (entry) => rmdir(entry)).catch(() => {});
  await withParent(root, dirname(target), (entry) => rmdir(entry)).catch(() => {});
}

/** Returns the mount points of all processes. */
async function readAllMountPoints(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const tables = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '')),
  );
  const points = [...new Set(tables)].flatMap((table) =>
    table.split('\n').map((line) => line.split(' ')[4] ?? ''),
  );
  return [...new Set(points)].map(unescapeField);
}

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lockFile } from '../../lib/adapters/sqlite/file-lock.ts';
import type { Config } from '../../lib/config.ts';
import { isInside } from '../../lib/paths/confine.ts';
import { hasCode, noneIfMissing } from '../../lib/paths/file-errors.ts';
import { codeFolder } from '../../lib/paths/own-folders.ts';
import { ADDRESS_FILE } from './address-file.ts';

/** An error about a setting or folder that the user must change, reported on one line without a stack. */
export class StartError extends Error {}

/** A lock held while the process runs; the kernel releases it however the process ends. */
const LOCK_FILE = 'service.lock';

/** Permission bits of other users. */
const OTHERS = 0o077;

/**
 * Removes other users' permissions from the data folder's contents, except workspaces: the folder may have existed with
 * other permissions.
 */
export async function closeDataFolder(config: Config): Promise<void> {
  // Another user's file is reported.
  for (const { path, mode } of await findOpen(config))
    if (path !== config.dataDir) await chmod(path, mode & ~OTHERS).catch(() => {});
}

/** Describes what other users can still open, and how to change that; undefined if there is nothing. */
export async function describeOpenData(config: Config): Promise<string | undefined> {
  const paths = (await findOpen(config)).map(({ path }) => path);
  if (paths.length === 0) return undefined;
  return `other users of this host have access to ${paths.join(', ')}. Run chmod go= on ${paths.length === 1 ? 'it' : 'them'}, as the owner.`;
}

/** Returns the first open entry; a closed folder closes everything inside. */
async function findOpen({ dataDir, workspaceRoots }: Config): Promise<{ path: string; mode: number }[]> {
  const { mode: around } = await stat(dataDir);
  if ((around & OTHERS) === 0) return [];
  const inside = (await readdir(dataDir)).map((name) => join(dataDir, name));
  const own = inside.filter((path) => !workspaceRoots.some((root) => isInside(path, root)));
  const found = await Promise.all(
    own.map(async (path) => ({
      path,
      mode: (await lstat(path).catch(noneIfMissing))?.mode ?? 0,
    })),
  );
  return [
    { path: dataDir, mode: around },
    ...found.filter(({ mode }) => (mode & OTHERS) !== 0 && (mode & constants.S_IFMT) !== constants.S_IFLNK),
  ];
}

/** Creates a missing data folder. Throws StartError if it can't contain the data. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    const probe = join(dataDir, `.writable-${randomUUID()}`);
    await writeFile(probe, '', { flag: 'wx', mode: 0o600 });
    await rm(probe);
  } catch (error) {
    throw new StartError(`DATA_DIR: ${explain(dataDir, error)}`);
  }
}

/** Prepares the workspace roots in the same way. Only the first is created. */
export async function prepareRoots(config: Config): Promise<void> {
  for (const [index, root] of config.workspaceRoots.entries()) {
    if (await isRootThere(config, root)) continue;
    if (index > 0) console.error(`WORKSPACE_ROOTS: ${root} does not exist. Create it, or correct the path.`);
    else
      await makeFolder(root).catch((error: unknown) => {
        throw new StartError(`WORKSPACE_ROOTS: ${explain(root, error)}`);
      });
  }
}

/** Returns whether the root exists. Throws StartError for a place that may never contain a workspace. */
export async function isRootThere({ dataDir }: Config, root: string): Promise<boolean> {
  const inData = root === dataDir || root.startsWith(`${dataDir}/`);
  if (!inData && isOwnCode(root))
    throw new StartError(
      `WORKSPACE_ROOTS: ${root} is in the service's own code. Set a folder outside it. Relative paths start in the current folder.`,
    );
  const found = await stat(root).catch(noneIfMissing);
  if (found?.isDirectory() === false)
    throw new StartError(`WORKSPACE_ROOTS: ${root} is a file. Set a folder.`);
  return found !== undefined;
}

function isOwnCode(folder: string): boolean {
  const code = codeFolder(import.meta.dirname);
  return folder === code || folder.startsWith(`${code}/`);
}

/**
 * Creates the folders one by one, because Node's recursive mkdir never ends if a file system, such as /proc, answers
 * ENOENT.
 */
async function makeFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(noneIfMissing);
  if (found?.isDirectory()) return;
  if (found !== undefined) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
}

const REASONS: Record<string, string> = {
  ENOTDIR: `isn't a folder, or has a file in its path. Set a folder.`,
  EROFS: 'is on a read-only file system. Set a folder that can be written.',
  EACCES: "can't be written by this user. Change its owner, or set another folder.",
  EPERM: "can't be written by this user. Change its owner, or set another folder.",
  ENOSPC: 'is on a full disk. Free some space.',
  EDQUOT: 'is over its disk quota. Free some space.',
  ENOENT: "can't be created there. Set another folder.",
};

function explain(folder: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return `${folder} ${REASONS[code] ?? `can't be used (${message}). Set another folder.`}`;
}

/**
 * Makes this process the only long-running service on the data folder. Services that `wrs` starts for a call, or that
 * run with DATA_DIR_SHARED, share the folder instead. Throws StartError.
 */
export async function lockDataFolder({ dataDir }: Config): Promise<() => void> {
  const unlock = lockFile(join(dataDir, LOCK_FILE));
  if (unlock !== undefined) return unlock;
  throw new StartError(
    `DATA_DIR: ${await describeHolder(dataDir)} already uses ${dataDir}. Stop it, or set another DATA_DIR.`,
  );
}

/** Says which process holds the lock. A service writes its URL once it listens. */
async function describeHolder(dataDir: string): Promise<string> {
  try {
    const { url, pid } = JSON.parse(await readFile(join(dataDir, ADDRESS_FILE), 'utf8'));
    return `the service at ${url} (process ${pid})`;
  } catch {
    return 'another service, which is starting,';
  }
}

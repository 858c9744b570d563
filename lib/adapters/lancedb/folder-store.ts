import { constants, type Stats } from 'node:fs';
import { mkdir, open, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../paths/file-errors.ts';
import { refreshNamesTo } from '../../paths/refresh-names.ts';
import { removeFolder } from './remove-folder.ts';
import type { VectorStore } from './vector-store.ts';

const TABLE = '.lance';
/** The subfolder that makes a folder a table. */
const VERSIONS = '_versions';

/** Tables on a file system, including EFS: a folder per workspace, with a subfolder per space. */
export function folderStore(folder: string): VectorStore {
  const place = (workspaceId: string, space: string) => ({ address: join(folder, workspaceId), name: space });
  const tableOf = (workspaceId: string, space: string) => join(folder, workspaceId, space + TABLE);
  const identityOf = (workspaceId: string, space: string) => identify(folder, tableOf(workspaceId, space));
  return {
    storeOptions: {},
    async find(workspaceId, space) {
      const identity = await identityOf(workspaceId, space);
      return identity === undefined ? undefined : { ...place(workspaceId, space), identity };
    },
    place: async (workspaceId, space) => place(workspaceId, space),
    async drop(workspaceId, keepSpace) {
      const own = join(folder, workspaceId);
      if (keepSpace === undefined) return removeFolder(own);
      // Doesn't use dropTable, which fails on NFS while a file of the table is open.
      const tables = (await namesIn(own)).filter((name) => name.endsWith(TABLE));
      for (const name of tables) if (name !== keepSpace + TABLE) await removeFolder(join(own, name));
    },
    has: async (workspaceId, space) => (await identityOf(workspaceId, space)) !== undefined,
    async clear(workspaceId, space) {
      await mkdir(join(folder, workspaceId), { recursive: true, mode: 0o700 });
      const table = tableOf(workspaceId, space);
      // NFS may miss an entry that another host created in the last minute. Creating it there asks the server.
      if (await makeFolder(table)) return true;
      if (!(await makeFolder(join(table, VERSIONS)))) return false;
      await removeFolder(table);
      return true;
    },
  };
}

/**
 * Returns what distinguishes a table from earlier ones of the same name; undefined if the table doesn't exist.
 * Throws if the file system fails. NFS may return a cached answer for a minute; opening the table asks the server.
 */
async function identify(top: string, table: string): Promise<string | undefined> {
  const found = await currentIdentity(top, table);
  if (found !== undefined) return found;
  await refreshNamesTo(top, join(table, VERSIONS));
  return currentIdentity(top, table);
}

/**
 * Identifies a table by the outer folder's time, which changes only with its subfolders. NFS may lack birth
 * times, and may reuse an inode number immediately.
 */
async function currentIdentity(top: string, table: string): Promise<string | undefined> {
  try {
    const statsOf = (await isLocal(top, table)) ? stat : openedStats;
    const [{ ino, birthtimeMs }, { mtimeMs }] = await Promise.all([
      statsOf(join(table, VERSIONS)),
      statsOf(table),
    ]);
    return `${ino} ${birthtimeMs} ${mtimeMs}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The types of ext4, XFS, Btrfs, overlayfs, tmpfs, and APFS. No other host changes their folders. */
const LOCAL_TYPES = new Set([0xef53, 0x58465342, 0x9123683e, 0x794c7630, 0x01021994, 0x1a]);
const local = new Map<string, boolean>();

/** Returns whether a folder of tables is on a local file system. */
async function isLocal(top: string, table: string): Promise<boolean> {
  const known = local.get(top) ?? LOCAL_TYPES.has((await statfs(table)).type);
  local.set(top, known);
  return known;
}

/** Opens a folder for its stats, because an NFS client asks its server only then. */
async function openedStats(folder: string): Promise<Stats> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return await handle.stat();
}

/** Creates a folder. Returns false if it exists. */
async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, 0o700);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

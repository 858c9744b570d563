import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../paths/file-errors.ts';
import { removeFolder } from './remove-folder.ts';
import type { TablesHome } from './tables-home.ts';

const TABLE = '.lance';

/** Tables on a file system, EFS too: a folder per workspace, in it one per space. */
export function folderHome(folder: string): TablesHome {
  const place = (workspaceId: string, space: string) => ({ address: join(folder, workspaceId), name: space });
  return {
    storeOptions: {},
    async find(workspaceId, space) {
      const identity = await identify(join(folder, workspaceId, space + TABLE, '_versions'));
      return identity === undefined ? undefined : { ...place(workspaceId, space), identity };
    },
    place: async (workspaceId, space) => place(workspaceId, space),
    async drop(workspaceId, keepSpace) {
      const own = join(folder, workspaceId);
      if (keepSpace === undefined) return removeFolder(own);
      // Not by dropTable: it fails on NFS where a file of the table is held open.
      const tables = (await namesIn(own)).filter((name) => name.endsWith(TABLE));
      for (const name of tables) if (name !== keepSpace + TABLE) await removeFolder(join(own, name));
    },
  };
}

/** Tells a folder from another of the same name; undefined when there is none. */
async function identify(folder: string): Promise<string | undefined> {
  const stats = await stat(folder).catch(() => undefined);
  return stats && `${stats.ino} ${stats.birthtimeMs}`;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

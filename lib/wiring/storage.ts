import { relative } from 'node:path';
import { vectorsFolder } from '../adapters/disk/layout.ts';
import type { FileSystemState } from '../adapters/efs/file-system.ts';
import type { Config } from '../config.ts';
import type { Records } from '../ports/records.ts';
import { currentRoots } from '../settings/with-settings.ts';
import { diskWatch } from '../system/disk-state.ts';
import { dataMeter } from '../system/measure-data.ts';
import { undoFolder } from './undo.ts';

/** Opens the measurements of a single host. Cloud storage has no limit. */
export async function openDataFolder(config: Config, records: Records) {
  const { aws, dataDir, datasetsDir, workspaceRoots } = config;
  if (aws !== undefined) return { watchDisk: undefined, measureData: undefined, measureQueues: undefined };
  const [{ databaseFile, openDatabase }, { measureDatabase, measureQueues }, { measureTables }] =
    await Promise.all([
      import('../adapters/sqlite/database.ts'),
      import('../adapters/sqlite/measure.ts'),
      import('../adapters/lancedb/measure.ts'),
    ]);
  const database = relative(dataDir, databaseFile(dataDir));
  const inside = (path: string) => relative(dataDir, path);
  const roots = workspaceRoots.map(inside).filter((path) => path !== '' && !path.startsWith('..'));
  return {
    watchDisk: diskWatch(async () => [
      { path: dataDir, scratch: `${dataDir}/.unfinished` },
      ...(await currentRoots(records, config)).map((path) => ({ path })),
    ]),
    measureQueues: (now: number) => measureQueues(openDatabase(dataDir), now),
    measureData: dataMeter({
      dataDir,
      folders: [
        ['index', ['objects/extracts']],
        ['versions', [inside(vectorsFolder(config))]],
        ['attachments', ['objects/attachments']],
        ['datasets', [inside(datasetsDir)]],
        ['workspaces', roots],
        ['undo', [inside(undoFolder(config))]],
        ['temporary', ['.unfinished', 'objects/.unfinished', 'objects/uploads']],
        ['reserve', ['.reserve']],
      ],
      measureDatabase: () => measureDatabase(openDatabase(dataDir), dataDir),
      measureTables: () => measureTables(vectorsFolder(config)),
      databaseFiles: [database, `${database}-wal`, `${database}-shm`],
    }),
  };
}

/** Returns a function that describes the cloud's mounted file system; undefined on a single host. */
export function openFileSystem({ aws }: Config): (() => Promise<FileSystemState>) | undefined {
  const id = aws?.fileSystemId;
  if (id === undefined) return undefined;
  return async () => {
    const [{ efsClient }, { describeFileSystem }] = await Promise.all([
      import('../adapters/efs/client.ts'),
      import('../adapters/efs/file-system.ts'),
    ]);
    return describeFileSystem(efsClient(), id);
  };
}

/** Returns a function that returns the store's free space to the disk; undefined if the cloud does that. */
export async function openTidying({ aws, dataDir }: Config): Promise<(() => Promise<void>) | undefined> {
  if (aws !== undefined) return undefined;
  const [{ openDatabase, databaseFile }, { tidyDatabase }, { fillReserve }] = await Promise.all([
    import('../adapters/sqlite/database.ts'),
    import('../adapters/sqlite/tidy.ts'),
    import('../adapters/sqlite/reserve.ts'),
  ]);
  return async () => {
    await tidyDatabase(openDatabase(dataDir), databaseFile(dataDir));
    fillReserve(dataDir);
  };
}

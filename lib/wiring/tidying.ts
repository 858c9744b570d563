import type { Config } from '../config.ts';

/** Gives room in the store back to the disk, and keeps a reserve; undefined where the cloud sees to it. */
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

import type { Config } from '../config.ts';

/** Opens what returns free space in the store to the disk; undefined if the cloud does that. */
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

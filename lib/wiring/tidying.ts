import type { Config } from '../config.ts';

/** Opens what returns free space in the store to the disk; undefined if the cloud does that. */
export async function openTidying({ aws, dataDir }: Config): Promise<(() => Promise<void>) | undefined> {
  if (aws !== undefined) return undefined;
  const [{ openDatabase, databaseFile }, { tidyDatabase }] = await Promise.all([
    import('../adapters/sqlite/database.ts'),
    import('../adapters/sqlite/tidy.ts'),
  ]);
  return () => tidyDatabase(openDatabase(dataDir), databaseFile(dataDir));
}

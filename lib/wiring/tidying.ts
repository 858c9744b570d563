import type { Config } from '../config.ts';

/** What gives room in the store back to the disk; undefined where the cloud sees to it. */
export async function openTidying({ aws, dataDir }: Config): Promise<(() => Promise<void>) | undefined> {
  if (aws !== undefined) return undefined;
  const [{ openDatabase, databaseFile }, { tidyDatabase }] = await Promise.all([
    import('../adapters/sqlite/database.ts'),
    import('../adapters/sqlite/tidy.ts'),
  ]);
  return () => tidyDatabase(openDatabase(dataDir), databaseFile(dataDir));
}

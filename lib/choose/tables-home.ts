import { vectorsFolder } from '../adapters/disk/layout.ts';
import { folderHome } from '../adapters/lancedb/folder-home.ts';
import type { TablesHome } from '../adapters/lancedb/tables-home.ts';
import type { Config } from '../config.ts';

/** Where the tables of all workspaces are stored: the data folder, or the configured bucket. Loads no LanceDB. */
export async function openTablesHome(config: Config): Promise<TablesHome> {
  const { bucket } = config.vectors;
  if (bucket === undefined) return folderHome(vectorsFolder(config));
  const [{ s3Client }, { s3Objects }, { bucketHome }] = await Promise.all([
    import('../adapters/s3/client.ts'),
    import('../adapters/s3/objects.ts'),
    import('../adapters/lancedb/bucket-home.ts'),
  ]);
  const client = s3Client();
  return bucketHome({ client, objects: s3Objects(client, bucket.bucket) }, bucket);
}

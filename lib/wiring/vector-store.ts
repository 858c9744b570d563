import { vectorsFolder } from '../adapters/disk/layout.ts';
import { folderStore } from '../adapters/lancedb/folder-store.ts';
import type { VectorStore } from '../adapters/lancedb/vector-store.ts';
import type { Config } from '../config.ts';

/**
 * Opens the storage for LanceDB's tables of all workspaces: the data folder, or the configured bucket. Doesn't load
 * LanceDB; vectors.ts opens the port.
 */
export async function openVectorStore(config: Config): Promise<VectorStore> {
  const { bucket } = config.vectors;
  if (bucket === undefined) return folderStore(vectorsFolder(config));
  const [{ s3Client }, { s3Objects }, { bucketStore }] = await Promise.all([
    import('../adapters/s3/client.ts'),
    import('../adapters/s3/objects.ts'),
    import('../adapters/lancedb/bucket-store.ts'),
  ]);
  const client = s3Client();
  return bucketStore({ client, objects: s3Objects(client, bucket.bucket) }, bucket);
}

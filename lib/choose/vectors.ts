import { vectorsFolder } from '../adapters/disk/layout.ts';
import { lancedbVectors } from '../adapters/lancedb/vectors.ts';
import type { Config } from '../config.ts';
import type { Vectors } from '../ports/vectors.ts';
import { tracedVectors } from './traced.ts';
import { openTraces } from './tracing.ts';

/** The passages of all workspaces: in the data folder, or in the bucket that the configuration names. */
export async function openVectors(config: Config): Promise<Vectors> {
  await openTraces(config);
  return tracedVectors(await openHome(config));
}

async function openHome(config: Config): Promise<Vectors> {
  const { bucket, cacheBytes } = config.vectors;
  if (bucket === undefined) return lancedbVectors(vectorsFolder(config), { cacheBytes });
  const [{ s3Client }, { s3Objects }, { bucketHome }] = await Promise.all([
    import('../adapters/s3/client.ts'),
    import('../adapters/s3/objects.ts'),
    import('../adapters/lancedb/bucket-home.ts'),
  ]);
  const client = s3Client();
  const objects = s3Objects(client, bucket.bucket);
  return lancedbVectors(bucketHome({ client, objects }, bucket), { cacheBytes });
}

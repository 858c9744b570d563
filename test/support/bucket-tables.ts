import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { bucketStore } from '../../lib/adapters/lancedb/bucket-store.ts';
import { lancedbVectors } from '../../lib/adapters/lancedb/vectors.ts';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import type { Vectors } from '../../lib/ports/vectors.ts';

/** Tables in a bucket of an emulator, as one process opens them. */
export function bucketVectors(client: S3Client, endpoint: string, bucket: string): Vectors {
  const environment = {
    aws_endpoint: endpoint,
    aws_region: 'eu-west-1',
    aws_access_key_id: 'test',
    aws_secret_access_key: 'test',
  };
  const objects = s3Objects(client, bucket);
  return lancedbVectors(bucketStore({ client, objects }, { bucket, prefix: 'vectors' }, environment));
}

export function newBucketName(): string {
  return `tables-${randomUUID()}`;
}

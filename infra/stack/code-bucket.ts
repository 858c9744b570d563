import { createReadStream, statSync } from 'node:fs';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Artifact } from './package.ts';

/** The bucket's logical ID in the functions' stack, given by the Framework. */
export const CODE_BUCKET = 'ServerlessDeploymentBucket';

/** Uploads the zips that the bucket doesn't have yet; each is stored under the hash of its bytes. */
export async function sendArtifacts(s3: S3Client, bucket: string, artifacts: Artifact[]) {
  const total = { sent: 0, bytes: 0 };
  for (const { key, file } of artifacts) {
    if (await exists(s3, bucket, key)) continue;
    // Uploads in parts, so that a broken connection repeats only a small part.
    const params = { Bucket: bucket, Key: key, Body: createReadStream(file) };
    await new Upload({ client: s3, params, partSize: 8 * 1024 * 1024 }).done();
    total.sent += 1;
    total.bytes += statSync(file).size;
  }
  return total;
}

async function exists(s3: S3Client, Bucket: string, Key: string): Promise<boolean> {
  return s3.send(new HeadObjectCommand({ Bucket, Key })).then(
    () => true,
    (error: { name?: string }) => {
      if (error.name === 'NotFound') return false;
      throw error;
    },
  );
}

/** Uploads the template and returns its URL, because CloudFormation accepts at most 51,200 bytes in the request. */
export async function putTemplate(s3: S3Client, Bucket: string, Body: string): Promise<string> {
  const Key = `templates/${Date.now()}.json`;
  await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  // The signer knows the bucket URL format of each partition. CloudFormation reads the URL with our own permissions.
  const { origin, pathname } = new URL(await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key })));
  return `${origin}${pathname}`;
}

/** Deletes all objects, object versions, and delete markers, because CloudFormation deletes only empty buckets. */
export async function emptyBucket(client: S3Client, Bucket: string): Promise<void> {
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket }),
    );
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) return;
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    if (Errors.length > 0) throw new Error(`${Bucket} was not emptied: ${Errors[0]?.Code}.`);
  }
}

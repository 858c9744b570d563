import { createReadStream, statSync } from 'node:fs';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Artifact } from './package.ts';

/** Its logical id in the functions' stack: the Framework's. */
export const CODE_BUCKET = 'ServerlessDeploymentBucket';

/** Sends the zips that do not lie there yet, for each lies under the hash of its bytes. */
export async function sendArtifacts(s3: S3Client, bucket: string, artifacts: Artifact[]) {
  const total = { sent: 0, bytes: 0 };
  for (const { key, file } of artifacts) {
    if (await exists(s3, bucket, key)) continue;
    // Sends parts: what breaks is then sent again in small pieces.
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

/** Answers its address: over 51,200 bytes CloudFormation takes no template in the request. */
export async function putTemplate(s3: S3Client, Bucket: string, Body: string): Promise<string> {
  const Key = `templates/${Date.now()}.json`;
  await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  // The signer knows how the address of a bucket is written in each partition. CloudFormation reads it with our own rights.
  const { origin, pathname } = new URL(await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key })));
  return `${origin}${pathname}`;
}

/** CloudFormation deletes no full bucket. */
export async function emptyBucket(client: S3Client, Bucket: string): Promise<void> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    const Objects = Contents.map(({ Key }) => ({ Key }));
    if (Objects.length > 0) await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  }
}

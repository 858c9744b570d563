import { posix } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Objects, PresignedRequest } from '../../ports/objects.ts';

/**
 * The part size of an upload from a stream, in bytes. 10,000 parts are 80 GB, and four are in memory at a
 * time.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** Objects in an S3 bucket. The SDK adds a CRC32 to every upload and checks it on every download. */
export function s3Objects(client: S3Client, bucketName: string): Objects {
  const locate = (key: string) => ({ Bucket: bucketName, Key: checkKey(key) });
  return {
    async put(key, body) {
      const target = locate(key);
      if (body instanceof Readable) return putStream(client, target, body);
      await client.send(new PutObjectCommand({ ...target, Body: body }));
    },
    async get(key) {
      const found = await getObject(client, locate(key));
      return found && { size: found.ContentLength ?? 0, body: found.Body as Readable };
    },
    getBytes: async (key) => (await getObject(client, locate(key)))?.Body?.transformToByteArray(),
    isDeleted: (key) => hasDeleteMarker(client, locate(key)),
    async delete(key) {
      await client.send(new DeleteObjectCommand(locate(key)));
    },
    async deletePrefix(prefix) {
      for await (const keys of keysBelow(client, bucketName, prefix))
        await deleteAll(client, bucketName, keys);
    },
    keys: (prefix, after) => keysBelow(client, bucketName, prefix, after),
    presignPut: async (key, options) => presignPut(client, locate(key), options),
  };
}

interface Target {
  Bucket: string;
  Key: string;
}

async function* keysBelow(
  client: S3Client,
  bucket: string,
  prefix: string,
  after?: string,
): AsyncGenerator<string[]> {
  if (!prefix.endsWith('/')) throw new RangeError('An object prefix must end with a slash.');
  checkKey(prefix.slice(0, -1));
  const query = { Bucket: bucket, Prefix: prefix, StartAfter: after };
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, query))
    yield Contents.flatMap(({ Key }) => Key ?? []);
}

/**
 * Returns an object. To a role that may not list the bucket, S3 answers 403 instead of NoSuchKey; the
 * functions' roles may list it.
 */
async function getObject(client: S3Client, target: Target) {
  try {
    return await client.send(new GetObjectCommand(target));
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

/**
 * Returns whether S3 reports a delete marker in place of the object. The SDK keeps that header in the error's
 * response.
 */
async function hasDeleteMarker(client: S3Client, target: Target): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand(target));
    return false;
  } catch (error) {
    if (!(error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404)) throw error;
    return error.$response?.headers['x-amz-delete-marker'] === 'true';
  }
}

/** Uploads a stream of unknown length in parts, and aborts the upload if the stream breaks. */
async function putStream(client: S3Client, target: Target, body: Readable): Promise<void> {
  const upload = new Upload({ client, params: { ...target, Body: body }, partSize: PART_BYTES });
  try {
    await upload.done();
  } finally {
    body.destroy();
  }
}

/** Deletes all keys. DeleteObjects returns 200 even if single keys fail, so this checks each result. */
async function deleteAll(client: S3Client, bucket: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
  const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }));
  if (Errors.length === 0) return;
  throw new Error(`${Errors.length} objects were not deleted, the first because of ${Errors[0]?.Code}.`);
}

/** Signs a PUT. The length is among the signed headers, so S3 accepts no other length. */
async function presignPut(
  client: S3Client,
  target: Target,
  { size, expiresInSeconds }: { size: number; expiresInSeconds: number },
): Promise<PresignedRequest> {
  const expires = Date.now() + expiresInSeconds * 1000;
  const command = new PutObjectCommand({ ...target, ContentLength: size });
  command.middlewareStack.add(withoutChecksum, { step: 'build', priority: 'low' });
  const url = await getSignedUrl(client, command, { expiresIn: expiresInSeconds });
  return {
    url,
    headers: { 'content-length': String(size) },
    expiresAt: new Date(expires).toISOString(),
  };
}

/** Removes the checksum. The SDK would sign that of an empty body, and S3 would reject any other body. */
function withoutChecksum<Input extends { request?: unknown }, Output>(
  next: (input: Input) => Promise<Output>,
) {
  return (input: Input): Promise<Output> => {
    const { headers } = input.request as { headers: Record<string, string> };
    for (const name of Object.keys(headers))
      if (/^x-amz-(checksum-|sdk-checksum-)/.test(name)) delete headers[name];
    return next(input);
  };
}

/** Checks a key. The service creates all keys, so this is a second check, as on the disk. */
function checkKey(key: string): string {
  const path = posix.join('/store', key);
  if (path !== `/store/${key}` || key.endsWith('/') || key.includes('\0'))
    throw new RangeError('The object key leads outside the store.');
  return key;
}

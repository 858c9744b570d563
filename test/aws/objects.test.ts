import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { emptyBucket } from '../../infra/stack/code-bucket.ts';
import { s3Objects } from '../../lib/adapters/s3/objects.ts';
import type { PresignedRequest } from '../../lib/ports/objects.ts';
import { describeObjects } from '../contract/objects.contract.ts';
import { createBucket, emulatorS3Client } from '../support/emulator.ts';

const localstack = emulatorS3Client('LOCALSTACK_URL');
const ministack = emulatorS3Client('MINISTACK_URL');
const openStore = async (client: S3Client) => {
  const bucket = await createBucket(client, `objects-${randomUUID()}`);
  return { bucket, objects: s3Objects(client, bucket) };
};

/** Uploads as a client does: fetch sets the length from the bytes. */
async function upload({ url }: PresignedRequest, body: Uint8Array): Promise<boolean> {
  const response = await fetch(url, { method: 'PUT', body: Buffer.from(body) });
  await response.body?.cancel();
  return response.ok;
}

describeObjects('S3 on LocalStack', async () => ({ ...(await openStore(localstack)), upload }));
// MiniStack accepts any presigned URL, even tampered, expired, or for another length, so only LocalStack
// checks them.
describeObjects('S3 on MiniStack', async () => ({ ...(await openStore(ministack)), upload }), {
  signaturesUnchecked: true,
});

describe('s3Objects', () => {
  it.each([['../a'], ['a/../../b'], [''], ['a\0b'], ['/a'], ['a//b'], ['./a']])(
    'refuses the key %j, like the disk',
    async (key) => {
      const { objects } = await openStore(localstack);
      const refused = expect.objectContaining({ name: 'RangeError' });
      await expect(objects.put(key, new Uint8Array())).rejects.toEqual(refused);
      await expect(objects.get(key)).rejects.toEqual(refused);
      await expect(objects.deletePrefix(key)).rejects.toEqual(refused);
    },
  );

  it.each([
    ['LocalStack', localstack],
    ['MiniStack', ministack],
  ])('leaves no parts on %s when a long stream breaks off', async (_name, client) => {
    const { bucket, objects } = await openStore(client);
    const broken = Readable.from(
      (async function* () {
        for (let part = 0; part < 3; part++) yield Buffer.alloc(9_000_000);
        throw new Error('gone');
      })(),
    );
    await expect(objects.put('a', broken)).rejects.toThrow('gone');
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    expect(Uploads ?? []).toEqual([]);
    expect(await objects.get('a')).toBeUndefined();
  });

  it('removes more objects than fit on one page', async () => {
    const { objects } = await openStore(localstack);
    const keys = Array.from({ length: 1100 }, (_, index) => `many/${index}`);
    for (let from = 0; from < keys.length; from += 50)
      await Promise.all(keys.slice(from, from + 50).map((key) => objects.put(key, Buffer.from('x'))));
    await objects.deletePrefix('many/');
    for (const key of ['many/0', 'many/999', 'many/1099']) expect(await objects.get(key)).toBeUndefined();
  });

  it("throws if some objects couldn't be deleted", async () => {
    const { bucket, objects } = await openStore(localstack);
    await objects.put('w/1', Buffer.from('x'));
    const client = emulatorS3Client('LOCALSTACK_URL');
    const failing = s3Objects(client, bucket);
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (input) => {
          const result = await next(input);
          const Errors = [{ Key: 'w/1', Code: 'InternalError' }];
          return commandName === 'DeleteObjectsCommand' ? { ...result, output: { Errors } as never } : result;
        },
      { step: 'initialize' },
    );
    await expect(failing.deletePrefix('w/')).rejects.toThrow('InternalError');
  });
});

describe.each([
  ['LocalStack', localstack],
  ['MiniStack', ministack],
])('versioned bucket on %s', (_name, client) => {
  const versions = async (Bucket: string) => {
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket }),
    );
    return [Versions.length, DeleteMarkers.length];
  };

  it('keeps deleted and replaced objects, and can be emptied for its removal', async () => {
    const { bucket, objects } = await openStore(client);
    for (const text of ['old', 'new']) await objects.put('attachments/a', Buffer.from(text));
    await objects.put('attachments/w/b', Buffer.from('b'));
    await objects.delete('attachments/a');
    await objects.deletePrefix('attachments/w/');
    expect(await objects.get('attachments/a')).toBeUndefined();
    expect(await objects.isDeleted('attachments/a')).toBe(true);
    expect(await objects.isDeleted('attachments/never')).toBe(false);
    expect(await versions(bucket)).toEqual([3, 2]);
    await emptyBucket(client, bucket);
    expect(await versions(bucket)).toEqual([0, 0]);
    await client.send(new DeleteBucketCommand({ Bucket: bucket }));
  });

  it('restores a deleted object when its delete marker is removed, as docs/operate describes', async () => {
    const { bucket, objects } = await openStore(client);
    await objects.put('attachments/a', Buffer.from('kept'));
    await objects.delete('attachments/a');
    const { DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: 'attachments/' }),
    );
    const [{ Key, VersionId } = {}] = DeleteMarkers.filter(({ IsLatest }) => IsLatest);
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key, VersionId }));
    expect(Buffer.from((await objects.getBytes('attachments/a')) ?? '').toString()).toBe('kept');
  });
});

describe('presigned URL', () => {
  const offer = async () => {
    const { objects } = await openStore(localstack);
    return { objects, request: await objects.presignPut('k', { size: 5, expiresInSeconds: 60 }) };
  };

  it("signs the length, and no checksum of a body that doesn't exist yet", async () => {
    const { request } = await offer();
    const query = new URL(request.url).searchParams;
    expect(query.get('X-Amz-SignedHeaders')).toBe('content-length;host');
    expect([...query.keys()].filter((name) => name.includes('checksum'))).toEqual([]);
    expect(request.headers).toEqual({ 'content-length': '5' });
  });

  it.each([
    ['a later expiry', (url: string) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600')],
    ['no signature', (url: string) => url.replace(/&X-Amz-Signature=[^&]*/, '')],
    ['another signature', (url: string) => url.replace(/X-Amz-Signature=./, 'X-Amz-Signature=g')],
    ['another key', (url: string) => url.replace('/k?', '/other?')],
  ])('is rejected with %s', async (_name, change) => {
    const { objects, request } = await offer();
    expect(await upload({ ...request, url: change(request.url) }, Buffer.from('12345'))).toBe(false);
    expect(await objects.get('k')).toBeUndefined();
  });
});

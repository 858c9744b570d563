import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import { s3Objects } from '../../../lib/adapters/s3/objects.ts';
import { whenDone } from '../../support/temp-folder.ts';

/** A bucket that answers every request with this response. */
async function open(status: number, headers: Record<string, string> = {}) {
  const server = createServer((_request, response) => response.writeHead(status, headers).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    ...{ region: 'eu-west-1', forcePathStyle: true, maxAttempts: 1 },
  });
  whenDone(async () => {
    client.destroy();
    server.close();
  });
  return s3Objects(client, 'bucket');
}

describe('missing object in S3', () => {
  it('is known as deleted if S3 reports its delete marker', async () => {
    const objects = await open(404, { 'x-amz-delete-marker': 'true' });
    expect(await objects.isDeleted('queue/a')).toBe(true);
  });

  it.each([
    ["it doesn't exist: it may still appear", 404],
    ['it exists', 200],
  ])('is not known as deleted if %s', async (_what, status) => {
    expect(await (await open(status)).isDeleted('queue/a')).toBe(false);
  });

  it('has an unknown state if S3 denies the request or fails', async () => {
    for (const status of [403, 500])
      await expect((await open(status)).isDeleted('queue/a')).rejects.toThrow();
  });
});

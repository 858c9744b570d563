import { randomUUID } from 'node:crypto';
import { HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from '@jest/globals';
import type { PageFile } from '../../infra/local/page-files.ts';
import { sendPage } from '../../infra/stack/send-page.ts';
import { createBucket, emulatorS3Client } from '../support/emulator.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 23);

function pageOf(files: Record<string, string>): Map<string, PageFile> {
  const entries = Object.entries(files).map(([path, text]): [string, PageFile] => [
    path,
    {
      type: 'text/javascript; charset=utf-8',
      immutable: path.startsWith('/assets/'),
      etag: `"${text}"`,
      bytes: { identity: Buffer.from(text), br: undefined, gzip: undefined },
    },
  ]);
  return new Map(entries);
}

const FIRST = pageOf({ '/index.html': 'one', '/icon.svg': 'icon', '/assets/a.js': 'a', '/assets/b.js': 'b' });
const SECOND = pageOf({
  '/index.html': 'two',
  '/icon.svg': 'icon',
  '/assets/b.js': 'b',
  '/assets/c.js': 'c',
});

describe.each(['LOCALSTACK_URL', 'MINISTACK_URL'] as const)('console files in the bucket, %s', (emulator) => {
  const client = emulatorS3Client(emulator);
  const makeBucket = () => createBucket(client, `page-${randomUUID()}`);
  const keysIn = async (Bucket: string) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key }) => Key).sort();
  };

  it('are uploaded once with their cache headers, and index.html comes last', async () => {
    const bucket = await makeBucket();
    const order: string[] = [];
    const watched = Object.create(client) as S3Client;
    watched.send = ((command: { constructor: { name: string }; input: { Key: string } }) => {
      if (command.constructor.name === 'PutObjectCommand') order.push(command.input.Key);
      return client.send(command as never);
    }) as never;
    expect(await sendPage(watched, bucket, FIRST, NOW)).toEqual({ sent: 4, removed: 0 });
    expect(order.at(-1)).toBe('index.html');
    expect(await sendPage(client, bucket, FIRST, NOW)).toEqual({ sent: 0, removed: 0 });
    const head = (Key: string) => client.send(new HeadObjectCommand({ Bucket: bucket, Key }));
    const ContentType = 'text/javascript; charset=utf-8';
    expect(await head('assets/a.js')).toMatchObject({
      CacheControl: 'public, max-age=31536000, immutable',
      ContentType,
    });
    expect(await head('index.html')).toMatchObject({ CacheControl: 'no-store', ContentType });
  });

  it('are kept for a week after the last build that used them', async () => {
    const bucket = await makeBucket();
    await sendPage(client, bucket, FIRST, NOW - 90 * DAY_MS);
    expect(await sendPage(client, bucket, SECOND, NOW)).toEqual({ sent: 2, removed: 0 });
    expect(await sendPage(client, bucket, SECOND, NOW + 6 * DAY_MS)).toEqual({ sent: 0, removed: 0 });
    const kept = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'assets/a.js' }));
    expect(kept).toMatchObject({
      CacheControl: 'public, max-age=31536000, immutable',
      ContentType: 'text/javascript; charset=utf-8',
    });
    expect(await sendPage(client, bucket, SECOND, NOW + 7 * DAY_MS)).toEqual({ sent: 0, removed: 1 });
    expect(await keysIn(bucket)).toEqual(['assets/b.js', 'assets/c.js', 'icon.svg', 'index.html']);
  });

  it('are restored when a build uses them again', async () => {
    const bucket = await makeBucket();
    await sendPage(client, bucket, FIRST, NOW);
    await sendPage(client, bucket, SECOND, NOW);
    expect((await sendPage(client, bucket, FIRST, NOW + DAY_MS)).sent).toBe(2);
    expect(await sendPage(client, bucket, FIRST, NOW + 30 * DAY_MS)).toEqual({ sent: 0, removed: 1 });
    expect(await keysIn(bucket)).toEqual(['assets/a.js', 'assets/b.js', 'icon.svg', 'index.html']);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

interface Started {
  uploadId: string;
  url: string;
  headers: Record<string, string>;
  expiresAt: string;
}

interface Status {
  status: string;
  error?: string;
}

const service = await startService();
const { id, root } = await makeWorkspace(service);
const outside = await tempFolder();
await symlink(outside, join(root, 'outside'));
await mkdir(join(root, 'folder'));

async function start(path: string, size: number): Promise<Started> {
  const answer = await service.call<Started>('POST', '/api/files/uploads', { workspaceId: id, path, size });
  expect(answer.status).toBe(201);
  return answer.body;
}

function put({ url, headers }: Started, bytes: Buffer) {
  return service.call('PUT', url.slice(service.url.length), bytes, headers);
}

interface Parts {
  partBytes: number;
  count: number;
  missing: (Omit<Started, 'uploadId' | 'expiresAt'> & { number: number })[];
  expiresAt: string;
}

function askForParts(uploadId: string) {
  return service.call<Parts>('POST', `/api/files/uploads/${uploadId}/parts`);
}

async function onceMissing(uploadId: string, numbers: number[]): Promise<Parts> {
  for (let turn = 0; turn < 1000; turn++) {
    const { body } = await askForParts(uploadId);
    if (body.missing.map(({ number }) => number).join() === numbers.join()) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the parts never came');
}

function ask(uploadId: string) {
  return service.call<Status>('GET', `/api/files/uploads/${uploadId}`);
}

async function ended(uploadId: string): Promise<Status> {
  for (let turn = 0; turn < 1000; turn++) {
    const { body } = await ask(uploadId);
    if (body.status === 'done' || body.status === 'failed') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the upload never ended');
}

describe('POST /api/files/uploads', () => {
  it('accepts a file larger than any request by PUT to the returned URL', async () => {
    const bytes = randomBytes(24 * 1024 * 1024 + 7);
    const started = await start('deep/large.bin', bytes.length);
    expect(Date.parse(started.expiresAt)).toBeGreaterThan(Date.now());
    expect((await ask(started.uploadId)).body).toEqual({ status: 'waiting' });
    expect((await put(started, bytes)).status).toBe(200);
    expect(await ended(started.uploadId)).toEqual({ status: 'done' });
    const raw = await service.call('GET', `/api/files/raw?workspaceId=${id}&path=deep/large.bin`);
    expect(createHash('sha256').update(raw.bytes).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
    expect(await readdir(join(root, 'deep'))).toEqual(['large.bin']);
  });

  it('answers Expect: 100-continue after it has checked the URL', async () => {
    const { url, headers, uploadId } = await start('asked.txt', 5);
    const forged = url.replace(/signature=..../, 'signature=0000');
    const asked: string[] = [];
    for (const address of [forged, url]) {
      const outgoing = request(address, { method: 'PUT', headers: { ...headers, expect: '100-continue' } });
      outgoing.once('continue', () => asked.push(address));
      outgoing.once('continue', () => outgoing.end('bytes'));
      outgoing.flushHeaders();
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      expect(answer.resume().statusCode).toBe(address === url ? 200 : 403);
      outgoing.destroy();
    }
    expect(asked).toEqual([url]);
    expect(await ended(uploadId)).toEqual({ status: 'done' });
    expect(await readFile(join(root, 'asked.txt'), 'utf8')).toBe('bytes');
  });

  it('replaces an existing file, and accepts an empty one', async () => {
    await writeFile(join(root, 'replaced.txt'), 'old');
    const started = await start('replaced.txt', 3);
    await put(started, Buffer.from('new'));
    expect(await ended(started.uploadId)).toEqual({ status: 'done' });
    expect(await readFile(join(root, 'replaced.txt'), 'utf8')).toBe('new');
    const empty = await start('empty.bin', 0);
    expect((await put(empty, Buffer.alloc(0))).status).toBe(200);
    expect(await ended(empty.uploadId)).toEqual({ status: 'done' });
    expect(await readFile(join(root, 'empty.bin'))).toHaveLength(0);
  });

  it('fails with a reason if the path is no longer free', async () => {
    const started = await start('blocked', 1);
    await mkdir(join(root, 'blocked'));
    await put(started, Buffer.from('x'));
    expect(await ended(started.uploadId)).toEqual({
      status: 'failed',
      error: expect.stringContaining('directory'),
    });
  });

  it('fails if a link to the outside replaced a folder of its path', async () => {
    const started = await start('later/new.txt', 1);
    await symlink(outside, join(root, 'later'));
    await put(started, Buffer.from('x'));
    expect(await ended(started.uploadId)).toEqual({
      status: 'failed',
      error: expect.stringContaining('outside'),
    });
    expect(await readdir(outside)).toEqual([]);
    await rm(join(root, 'later'));
  });

  /** Changes the first character. */
  function forgeSignature(url: string): string {
    return url.replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? '-' : '_'}`);
  }

  it.each([
    ['a forged signature', forgeSignature, 403],
    ['no signature', (url: string) => url.replace(/&signature=.*/, ''), 403],
    ['another size', (url: string) => url.replace(/size=\d+/, 'size=4'), 403],
    ['a later expiration', (url: string) => url.replace(/expires=\d+/, 'expires=99999999999999'), 403],
    ['another object', (url: string) => url.replace(/uploads\/[^?]+/, 'uploads/other'), 403],
    ['a path with traversal', (url: string) => url.replace(/uploads\/[^?]+/, '%2e%2e%2f%2e%2e%2fx'), 403],
    ['a badly encoded path', (url: string) => url.replace(/uploads\/[^?]+/, '%zz'), 400],
  ])('rejects a PUT with %s', async (_what, change, status) => {
    const started = await start('never.txt', 3);
    const answer = await put({ ...started, url: change(started.url) }, Buffer.from('new'));
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
    expect((await ask(started.uploadId)).body).toEqual({ status: 'waiting' });
  });

  it.each([2, 4])('rejects a PUT of %s bytes if 3 were announced', async (length) => {
    const started = await start('never.txt', 3);
    const answer = await put({ ...started, headers: {} }, Buffer.alloc(length));
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('3 bytes') } });
  });

  it.each([
    ['no size', { path: 'a' }, 400, 'size'],
    ['a negative size', { path: 'a', size: -1 }, 400, 'size'],
    ['a fractional size', { path: 'a', size: 0.5 }, 400, 'size'],
    ['more than 5 GB', { path: 'a', size: 5 * 1024 ** 3 + 1 }, 400, 'size'],
    ['a size as a string', { path: 'a', size: '3' }, 400, 'size'],
    ['no path', { size: 1 }, 400, 'path'],
    ['an unknown field', { path: 'a', size: 1, type: 'x' }, 400, 'type'],
    ['an unknown workspace', { workspaceId: 'x', path: 'a', size: 1 }, 404, 'workspace'],
    ['the workspace itself', { path: '', size: 1 }, 400, 'path'],
    ['a path that ends with /', { path: 'a/', size: 1 }, 400, 'path'],
    ['..', { path: '../a', size: 1 }, 400, 'path'],
    ['an absolute path', { path: '/a', size: 1 }, 400, 'path'],
    ['a link to the outside', { path: 'outside/a', size: 1 }, 400, 'path'],
  ])('rejects %s', async (_what, fields, status, named) => {
    const answer = await service.call('POST', '/api/files/uploads', { workspaceId: id, ...fields });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.stringContaining(named) });
  });
});

describe('GET /api/files/uploads/{uploadId}', () => {
  it.each([
    ['01a1fcf8-a7e2-778b-8bd9-87a5309f5401', 'This upload does not exist.'],
    ['x', 'This upload does not exist.'],
    ['..%2f..%2fx', 'This route does not exist.'],
  ])('returns 404 for %s', async (uploadId, error) => {
    const answer = await ask(uploadId);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error });
  });
});

describe('POST /api/files/uploads/{uploadId}/parts', () => {
  const bytes = randomBytes(20 * 1024 * 1024 + 7);
  const send = async (uploadId: string, { partBytes, missing }: Parts, number: number) => {
    const part = missing.find((each) => each.number === number) as Parts['missing'][number];
    const begin = number * partBytes;
    const { status } = await put(
      { ...part, uploadId, expiresAt: '' },
      bytes.subarray(begin, begin + partBytes),
    );
    expect(status).toBe(200);
  };
  const whole = () => readFile(join(root, 'parted.bin'));

  it('assembles a file from parts in any order, and lists the missing parts until then', async () => {
    const { uploadId } = await start('parted.bin', bytes.length);
    const { body } = await askForParts(uploadId);
    expect(body).toMatchObject({ partBytes: 8 * 1024 * 1024, count: 3 });
    expect(body.missing.map(({ number }) => number)).toEqual([0, 1, 2]);
    expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now());
    await send(uploadId, body, 2);
    await send(uploadId, body, 0);
    const rest = await onceMissing(uploadId, [1]);
    expect((await ask(uploadId)).body).toEqual({ status: 'waiting' });
    await send(uploadId, rest, 1);
    expect(await ended(uploadId)).toEqual({ status: 'done' });
    expect((await whole()).equals(bytes)).toBe(true);
  });

  it('accepts a part twice', async () => {
    const { uploadId } = await start('parted.bin', bytes.length);
    const { body } = await askForParts(uploadId);
    for (const number of [0, 0, 1]) await send(uploadId, body, number);
    await onceMissing(uploadId, [2]);
    await send(uploadId, body, 2);
    expect(await ended(uploadId)).toEqual({ status: 'done' });
    expect((await whole()).equals(bytes)).toBe(true);
  });

  it('rejects a part of another length, and lists no parts of a finished upload', async () => {
    const { uploadId } = await start('short.bin', 3);
    const { body } = await askForParts(uploadId);
    const [part] = body.missing as [Parts['missing'][number]];
    const started = { ...part, headers: {}, uploadId, expiresAt: '' };
    expect((await put(started, Buffer.alloc(4))).status).toBe(400);
    expect((await put(started, Buffer.from('abc'))).status).toBe(200);
    expect(await ended(uploadId)).toEqual({ status: 'done' });
    const answer = await askForParts(uploadId);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ error: 'This upload is done and accepts no more parts.' });
  });

  it.each([
    ['01a1fcf8-a7e2-778b-8bd9-87a5309f5401', 404, 'This upload does not exist.'],
    ['x', 404, 'This upload does not exist.'],
  ])('rejects %s', async (uploadId, status, error) => {
    const answer = await askForParts(uploadId);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error });
  });
});

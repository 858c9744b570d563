import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { zoteroLibrary } from '../../../lib/adapters/zotero/library.ts';
import type { SourceRun } from '../../../lib/sources/schema.ts';
import { deleteSource } from '../../../lib/sources/sources.ts';
import { type FakeZotero, startFakeZotero } from '../../support/fakes/fake-zotero.ts';
import { makePdf } from '../../support/samples/pdf.ts';
import { startSourceRig, zoteroSource } from '../../support/sources.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

let fake: FakeZotero;
let rig: Awaited<ReturnType<typeof startSourceRig>>;
const PDF = makePdf(['An owl.']);

beforeEach(async () => {
  fake = await startFakeZotero();
  rig = await startSourceRig(zoteroSource(fake));
});

async function allFiles(): Promise<string[]> {
  const entries = await readdir(join(rig.root, '..'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(rig.root.length - 'home'.length))
    .sort();
}

describe('names of a hostile library', () => {
  it.each([
    ['../../etc/passwd', 'etc passwd'],
    ['..', '_'],
    ['.git', 'git'],
    ['a\0b\n\u202efdp.exe', 'a b fdp.exe'],
    ['C:\\windows\\x.pdf', 'C windows x.pdf'],
    ['', '_'],
    [`${'鳥'.repeat(400)}.pdf`, `${'鳥'.repeat(66)}.pdf`],
    // The end of the name would be the first half of the character.
    [`${'o'.repeat(65)}🦉.pdf`, `${'o'.repeat(65)}.pdf`],
    ['.wrs-0123.tmp', 'wrs-0123.tmp'],
    ['鳥'.repeat(3000), '鳥'.repeat(70)],
  ])('%j becomes a file inside of the folder', async (name, expected) => {
    fake.putFile('FFFFFFFF', { filename: name }, PDF);
    await rig.sync();
    expect(await allFiles()).toEqual([`home/sources/Zotero/${expected}`]);
  });

  it('are made different if a file system could take them for one', async () => {
    fake.putFile('AAAAAAAA', { filename: 'Owl.pdf' }, PDF);
    fake.putFile('BBBBBBBB', { filename: 'owl.PDF' }, makePdf(['Another owl.']));
    await rig.sync();
    expect(await allFiles()).toEqual([
      'home/sources/Zotero/Owl AAAAAAAA.pdf',
      'home/sources/Zotero/owl BBBBBBBB.pdf',
    ]);
  });

  it('lead nowhere through collections that contain each other', async () => {
    fake.putCollection('AAAAAAAA', '..', 'BBBBBBBB' as never);
    fake.putCollection('BBBBBBBB', 'b', 'AAAAAAAA' as never);
    fake.putFile('FFFFFFFF', { filename: 'owl.pdf', collections: ['AAAAAAAA'] }, PDF);
    await rig.sync();
    const [path] = await allFiles();
    expect(path).toMatch(/^home\/sources\/Zotero\/(?:[_b]\/){10}owl\.pdf$/);
  });

  it('never lead through a link that a person made', async () => {
    const outside = await tempFolder();
    await rig.sync();
    await symlink(outside, join(rig.root, 'sources'));
    fake.putFile('FFFFFFFF', { filename: 'owl.pdf' }, PDF);
    expect((await rig.sync()).counts).toMatchObject({ added: 0, failed: 1 });
    expect(await readdir(outside)).toEqual([]);
  });

  it('lead to no folder of a person behind a link, also when the source is deleted', async () => {
    await mkdir(join(rig.root, 'mine/own/empty'), { recursive: true });
    await mkdir(join(rig.root, 'sources'));
    await symlink('../mine', join(rig.root, 'sources/Zotero'));
    await deleteSource(rig.ports, rig.made, { keepFiles: false });
    await rig.work();
    expect(await readdir(join(rig.root, 'mine/own'))).toEqual(['empty']);
  });

  it('leave room for both suffixes', async () => {
    const name = '鳥'.repeat(100);
    fake.putFile('AAAAAAAA', { filename: name }, PDF);
    fake.putFile('BBBBBBBB', { filename: name }, makePdf(['Another owl.']));
    await rig.sync();
    for (const path of await allFiles()) await writeFile(join(rig.root, '..', path), 'mine');
    fake.putFile('AAAAAAAA', {}, makePdf(['A third owl.']));
    expect((await rig.sync()).counts).toMatchObject({ conflicts: 1, failed: 0 });
    expect(await allFiles()).toHaveLength(3);
  });

  it('are ignored with keys that are no keys of Zotero', async () => {
    for (const key of ['../x', 'abc', 'AAAAAAAA/..', 'AAAA%2F..'])
      fake.putFile(key, { filename: 'owl.pdf' }, PDF);
    expect(await rig.sync()).toMatchObject({ status: 'success', total: 0 });
    expect(fake.fileRequests()).toBe(0);
  });
});

/** Answers each request for items, with its number. */
function answerItems(answer: (request: number) => { body: unknown; headers?: Record<string, string> }): void {
  let requests = 0;
  fake.answer = ({ url = '' }, response) => {
    if (!url.includes('/items?')) return false;
    const { body, headers } = answer(requests++);
    response.writeHead(200, { 'last-modified-version': '7', ...headers }).end(JSON.stringify(body));
    return true;
  };
}

const NEXT = { link: '</items>; rel="next"' };

describe('lists of a hostile library', () => {
  it('end, although there is always a next page', async () => {
    answerItems((page) => ({
      body: [{ key: `A${String(page).padStart(7, '0')}`, data: {} }],
      headers: NEXT,
    }));
    const run = await rig.sync();
    expect(run).toMatchObject({
      status: 'error',
      error: 'A library can have at most 50000 items.',
      requests: 500,
    });
  });

  it('are read again if they change between two pages, and given up after three times', async () => {
    answerItems((page) => ({ body: [], headers: { ...NEXT, 'last-modified-version': String(page) } }));
    const run = await rig.sync();
    expect(run).toMatchObject({
      status: 'error',
      error: expect.stringContaining('was changed while it was read'),
    });
    expect(run.requests).toBe(6);
    fake.answer = undefined;
    fake.putFile('FFFFFFFF', { filename: 'owl.pdf' }, PDF);
    expect((await rig.sync()).counts).toMatchObject({ added: 1 });
  });

  it('lose nothing if a library changes once while it is read', async () => {
    for (let item = 0; item < 150; item++)
      fake.putFile(
        `F${String(item).padStart(7, '0')}`,
        { filename: `owl ${item}.pdf` },
        makePdf([`Owl ${item}.`]),
      );
    fake.answer = ({ url = '' }) => {
      if (!url.includes('start=100')) return false;
      fake.answer = undefined;
      fake.remove('items', 'F0000000');
      return false;
    };
    expect((await rig.sync()).counts).toMatchObject({ added: 149 });
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['no list', { error: 'no' }, {}],
    ['no version', [], { 'last-modified-version': 'x' }],
    [
      'too many values',
      Array.from({ length: 100 }, () => ({ key: 'AAAAAAAA', data: { a: Array(20_000).fill(0) } })),
      {},
    ],
  ])('fail with %s', async (_, body, headers) => {
    answerItems(() => ({ body, headers }));
    expect(await rig.sync()).toMatchObject({
      status: 'error',
      error: expect.stringContaining('Zotero returned'),
    });
  });

  it('are not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    fake.answer = (_, response) =>
      Boolean(
        response.writeHead(200, { 'content-encoding': 'gzip', 'last-modified-version': '1' }).end(bomb),
      );
    expect(await rig.sync()).toMatchObject({ status: 'error' });
  });

  it('wait as long as the server asks for, and not longer than two minutes', async () => {
    let refused = 0;
    fake.answer = (_, response) => {
      if (refused++ > 0) return false;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    };
    expect(await rig.sync()).toMatchObject({ status: 'success' });
    fake.answer = (_, response) => Boolean(response.writeHead(429, { 'retry-after': '900' }).end());
    expect(await rig.sync()).toMatchObject({
      status: 'error',
      error: expect.stringContaining('limits the request rate'),
    });
  });
});

async function syncFile(bytes: Buffer, answer: FakeZotero['answer']): Promise<SourceRun> {
  fake.putFile('FFFFFFFF', { filename: 'owl.pdf' }, bytes);
  fake.answer = (request, response) =>
    request.url?.includes('FFFFFFFF') === true && answer?.(request, response) === true;
  return rig.sync();
}

describe('files of a hostile library', () => {
  it('are refused with other bytes than announced', async () => {
    const run = await syncFile(PDF, (_, response) => Boolean(response.end('other')));
    expect(run.changes).toEqual([{ path: 'sources/Zotero/owl.pdf', action: 'fail', reason: 'checksum' }]);
    expect(await allFiles()).toEqual([]);
  });

  it('are left out over 50 MB, and without an end', async () => {
    const run = await syncFile(PDF, (_, response) => {
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1_000_000)));
        if (!response.destroyed) response.once('drain', send);
      };
      send();
      return true;
    });
    expect(run.changes).toEqual([{ path: 'sources/Zotero/owl.pdf', action: 'skip', reason: 'size' }]);
  });

  it('that break off are fetched by the next sync', async () => {
    let times = 0;
    const run = await syncFile(PDF, (_, response) => {
      if (times++ > 0) return false;
      response.writeHead(200, { 'content-length': String(PDF.length) });
      response.write(PDF.subarray(0, 100), () => response.destroy());
      return true;
    });
    expect(run.counts).toMatchObject({ failed: 1 });
    expect(await allFiles()).toEqual([]);
    expect((await rig.sync()).counts).toMatchObject({ added: 1 });
    expect(await readFile(join(rig.root, 'sources/Zotero/owl.pdf'))).toEqual(PDF);
  });
});

/** A server that records the keys that it gets. */
async function startElsewhere() {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['zotero-api-key']);
    response.end('secret');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => void server.close());
  return { keys, port: (server.address() as AddressInfo).port };
}

describe('redirects of a library', () => {
  const open = async (location: string, isPublic?: () => boolean) => {
    fake.answer = (_, response) => Boolean(response.writeHead(302, { location }).end());
    const settings = {
      apiKey: fake.apiKey,
      baseUrl: fake.url,
      trusted: false,
      ...(isPublic && { isPublic }),
    };
    const file = { id: 'FFFFFFFF' } as Parameters<ReturnType<typeof zoteroLibrary>['open']>[0];
    const signal = AbortSignal.timeout(30_000);
    return (await Array.fromAsync(await zoteroLibrary(settings, { userId: 1 }).open(file, { signal }))).join(
      '',
    );
  };

  it.each([
    'http://127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://localhost:PORT/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
  ])('to %s are refused', async (target) => {
    const { keys, port } = await startElsewhere();
    await expect(open(target.replace('PORT', String(port)))).rejects.toMatchObject({ code: 'source_failed' });
    expect(keys).toEqual([]);
  });

  it('to another host are followed without the key', async () => {
    const { keys, port } = await startElsewhere();
    expect(await open(`http://127.0.0.1:${port}/x`, () => true)).toBe('secret');
    expect(keys).toEqual([undefined]);
  });
});

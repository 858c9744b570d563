import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { startFakeS3 } from './fakes/fake-s3.ts';
import { startFakeWebdav } from './fakes/fake-webdav.ts';
import { fillLibrary, startFakeZotero, zoteroKey } from './fakes/fake-zotero.ts';
import { startS3Proxy } from './fakes/s3-proxy.ts';
import { makePdf } from './samples/pdf.ts';
import { bucketOf, type TestSource, webdavSource, zoteroSource } from './sources.ts';

/** A source whose contents a test changes between two syncs. */
export interface SourcePlace {
  source: TestSource;
  /** The number of requests so far. */
  asked(): number;
  fill(): Promise<void>;
  /** Changes a part of the contents: files with other contents, moved, removed, and new ones. */
  change(round: number): Promise<void>;
  /** The contents of all PDFs that the source has now. */
  pdfs(): string[];
}

const ITEMS = 60;

export async function zoteroPlace(): Promise<SourcePlace> {
  const fake = await startFakeZotero();
  const isTrashed = (key: string) => fake.items.get(key)?.data.deleted === 1;
  return {
    source: zoteroSource(fake),
    asked: () => fake.asked.length,
    fill: async () => fillLibrary(fake, ITEMS),
    async change(round) {
      for (let item = round % 7; item < ITEMS; item += 7)
        fake.putFile(zoteroKey('F', item), {}, owl(item, round));
      fake.putCollection(zoteroKey('C', round % 5), `Birds of round ${round}`);
      for (let item = round % 11; item < ITEMS; item += 11)
        fake.putItem(zoteroKey('P', item), { deleted: isTrashed(zoteroKey('P', item)) ? 0 : 1 });
    },
    pdfs: () =>
      [...fake.items]
        .filter(([key, { data }]) => key.startsWith('F') && !isTrashed(data.parentItem))
        .map(([key]) => fake.files.get(key)?.toString('latin1') ?? '')
        .sort(),
  };
}

function owl(item: number, round: number): Buffer {
  return makePdf([`Owl ${item} of round ${round}.`]);
}

/** Sets or removes (undefined) a file. */
type Write = (path: string, bytes: Buffer | undefined) => Promise<void>;

/** Folders of two levels, which are moved and whose files are removed and return. */
function treePlace(source: TestSource, asked: () => number, write: Write): SourcePlace {
  const files = new Map<number, { path: string; bytes: Buffer }>();
  const put = async (item: number, path: string, bytes: Buffer) => {
    const before = files.get(item)?.path;
    files.set(item, { path, bytes });
    await write(path, bytes);
    if (before !== undefined && before !== path) await write(before, undefined);
  };
  const pathOf = (item: number, folder = `Birds ${item % 5}`) =>
    `${folder}/${item % 2 === 0 ? '' : 'Owls/'}Owl ${item}.pdf`;
  const changeOne = async (item: number, path: string, round: number) => {
    if (item % 11 === round % 11) {
      files.delete(item);
      return write(path, undefined);
    }
    if (item % 5 === round % 5) return put(item, pathOf(item, `Birds of round ${round}`), owl(item, 0));
    return item % 7 === round % 7 ? put(item, path, owl(item, round)) : undefined;
  };
  return {
    ...{ source, asked },
    async fill() {
      for (let item = 0; item < ITEMS; item++) await put(item, pathOf(item), owl(item, 0));
    },
    async change(round) {
      for (const [item, { path }] of files) await changeOne(item, path, round);
      for (let item = (round + 3) % 11; item < ITEMS; item += 11)
        if (!files.has(item)) await put(item, pathOf(item), owl(item, round));
    },
    pdfs: () => [...files.values()].map(({ bytes }) => bytes.toString('latin1')).sort(),
  };
}

/** A fake, or the server at WSGIDAV_URL behind a proxy that counts requests. */
export async function webdavPlace(): Promise<SourcePlace> {
  const { WSGIDAV_URL: real } = process.env;
  if (real === undefined) {
    const fake = await startFakeWebdav();
    return treePlace(webdavSource(fake), () => fake.asked.length, writeInto(fake.files));
  }
  const { url, asked } = await startCounting(real);
  const account = { user: 'ann', password: 'owl secret' };
  const authorization = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`;
  const folder = `${real}/kills-${process.pid}`;
  const send = async (method: string, path: string, body?: Buffer) => {
    const at = `${folder}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const answer = await fetch(at, {
      method,
      headers: { authorization },
      ...(body && { body: new Uint8Array(body) }),
    });
    await answer.arrayBuffer();
    if (!answer.ok && !(method === 'MKCOL' && answer.status === 405))
      throw new Error(`${method} ${path}: ${answer.status}`);
  };
  await send('MKCOL', '');
  const write: Write = async (path, bytes) => {
    if (bytes === undefined) return send('DELETE', path);
    const names = path.split('/').slice(0, -1);
    for (const level of names.keys()) await send('MKCOL', names.slice(0, level + 1).join('/'));
    await send('PUT', path, bytes);
  };
  return treePlace(webdavSource({ ...account, url: `${url}/kills-${process.pid}` }), asked, write);
}

/** A fake, or the emulator at MINISTACK_URL behind a proxy that counts requests. */
export async function bucketPlace(): Promise<SourcePlace> {
  const { MINISTACK_URL: real } = process.env;
  if (real === undefined) {
    const fake = await startFakeS3();
    return treePlace(bucketOf(fake), () => fake.asked.length, writeInto(fake.files));
  }
  const { url, asked } = await startCounting(real);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new S3Client({ endpoint: real, region: 'eu-central-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: 'owls' }));
  const write: Write = async (Key, Body) => {
    const object = { Bucket: 'owls', Key };
    await client.send(
      Body === undefined ? new DeleteObjectCommand(object) : new PutObjectCommand({ ...object, Body }),
    );
  };
  return treePlace(bucketOf({ url, accessKeyId: credentials.accessKeyId }), asked, write);
}

function writeInto(files: Map<string, Buffer>): Write {
  return async (path, bytes) => {
    if (bytes === undefined) files.delete(path);
    else files.set(path, bytes);
  };
}

async function startCounting(target: string): Promise<{ url: string; asked(): number }> {
  let count = 0;
  const url = await startS3Proxy(target, {
    before: async () => {
      count++;
      return undefined;
    },
  });
  return { url: String(url), asked: () => count };
}

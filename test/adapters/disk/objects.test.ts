import { readdir, utimes, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { objectsFolder } from '../../../lib/adapters/disk/layout.ts';
import { diskObjects } from '../../../lib/adapters/disk/objects.ts';
import { acceptPresignedPut, diskPresignPut } from '../../../lib/adapters/disk/presigned.ts';
import type { Config } from '../../../lib/config.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { describeObjects } from '../../contract/objects.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function openStore() {
  const config = { dataDir: await tempFolder(), publicUrl: 'http://127.0.0.1:1' } as Config;
  const folder = objectsFolder(config);
  return { config, folder, objects: diskObjects(folder, diskPresignPut(config)) };
}

function accept(config: Config, url: string, body: Uint8Array, contentLength?: number) {
  return acceptPresignedPut(config, new URL(url), Readable.from([body]), contentLength);
}

describeObjects('Disk', async () => {
  const { config, objects } = await openStore();
  return {
    objects,
    upload: ({ url }, body) =>
      accept(config, url, body, body.length).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ServiceError) return false;
          throw error;
        },
      ),
  };
});

describe('diskObjects', () => {
  it.each([['../a'], ['a/../../b'], [''], ['a\0b']])('refuses the key %j', async (key) => {
    const { objects } = await openStore();
    await expect((async () => objects.put(key, new Uint8Array()))()).rejects.toThrow(RangeError);
    await expect((async () => objects.deletePrefix(key))()).rejects.toThrow(RangeError);
  });

  it('leaves no partial file behind', async () => {
    const { objects, folder } = await openStore();
    const broken = new Readable({ read: () => broken.destroy(new Error('gone')) });
    await expect(objects.put('a/b', broken)).rejects.toThrow('gone');
    expect(await readdir(folder, { recursive: true })).toEqual(['.unfinished', 'a']);
  });

  it('removes temporary files of a killed writer, but only after an hour', async () => {
    const { objects, folder } = await openStore();
    await objects.put('a/b', new Uint8Array());
    const [old, young] = [`${folder}/.unfinished/old`, `${folder}/.unfinished/young`];
    for (const file of [old, young]) await writeFile(file, 'half');
    await utimes(old, 1, Date.now() / 1000 - 3601);
    await objects.put('a/b', new Uint8Array());
    expect(await readdir(`${folder}/.unfinished`)).toEqual(['young']);
  });
});

describe('acceptPresignedPut', () => {
  const five = Buffer.from('12345');

  it('returns the stored object', async () => {
    const { config, objects } = await openStore();
    const { url, headers } = await objects.presignPut('a b/c%', { size: 5, expiresInSeconds: 60 });
    expect(headers).toEqual({ 'content-length': '5' });
    expect(await accept(config, url, five, 5)).toEqual({ key: 'a b/c%', size: 5 });
  });

  it('removes uploads that are two days old and keeps everything else', async () => {
    const { config, folder, objects } = await openStore();
    const before = ['uploads/old.parts', 'uploads/young.parts', 'runs/old'];
    for (const key of before) await objects.put(`${key}/1`, five);
    for (const key of before.filter((each) => each.endsWith('old') || each.includes('old.')))
      await utimes(`${folder}/${key}`, 1, Date.now() / 1000 - 2 * 24 * 3600 - 1);
    for (const key of ['uploads/k', 'runs/k']) {
      const { url } = await objects.presignPut(key, { size: 5, expiresInSeconds: 60 });
      await accept(config, url, five, 5);
    }
    expect((await readdir(`${folder}/uploads`)).sort()).toEqual(['k', 'young.parts']);
    expect((await readdir(`${folder}/runs`)).sort()).toEqual(['k', 'old']);
  });

  it.each([
    ['another size', (url: string) => url.replace('size=5', 'size=6'), 403],
    ['a later expiry', (url: string) => url.replace(/expires=\d/, 'expires=9'), 403],
    ['no signature', (url: string) => url.replace(/&signature=.*/, ''), 403],
    ['a key outside the folder', (url: string) => url.replace('/objects/k', '/objects/..%2fk'), 403],
    ['a malformed key', (url: string) => url.replace('/objects/k', '/objects/%ff'), 400],
  ])('refuses %s', async (_name, change, status) => {
    const { config, objects } = await openStore();
    const { url } = await objects.presignPut('k', { size: 5, expiresInSeconds: 60 });
    await expect(accept(config, change(url), five, 5)).rejects.toMatchObject({ status });
    expect(await objects.getBytes('k')).toBeUndefined();
  });

  it.each([
    ['fewer bytes than announced', Buffer.from('1234'), 5],
    ['more bytes than announced', Buffer.from('123456'), 5],
    ['no length', five, undefined],
  ])('returns 400 for %s and keeps the stored object', async (_name, body, length) => {
    const { config, objects } = await openStore();
    await objects.put('k', Buffer.from('old'));
    const { url } = await objects.presignPut('k', { size: 5, expiresInSeconds: 60 });
    await expect(accept(config, url, body, length)).rejects.toMatchObject({ status: 400 });
    expect(String(await objects.getBytes('k'))).toBe('old');
  });
});

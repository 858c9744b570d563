import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Objects, PresignedRequest } from '../../lib/ports/objects.ts';

export interface ObjectsUnderTest {
  objects: Objects;
  /** Sends a PUT as a client does, and returns whether the store accepted it. */
  upload(request: PresignedRequest, body: Uint8Array): Promise<boolean>;
}

export interface ObjectsDeviation {
  /** The emulator accepts any PUT to a URL, so the store can't reject any. */
  signaturesUnchecked?: boolean;
}

/** The contract of lib/ports/objects.ts. */
export function describeObjects(
  name: string,
  open: () => Promise<ObjectsUnderTest>,
  { signaturesUnchecked = false }: ObjectsDeviation = {},
): void {
  describe(`${name}: Objects`, () => {
    let objects: Objects;
    let upload: ObjectsUnderTest['upload'];
    let folder: string;
    beforeEach(async () => {
      ({ objects, upload } = await open());
      folder = randomUUID();
    });

    const bytes = Buffer.from([0, 255, 13, 10, 128, 0]);
    const textOf = async (key: string) => {
      const found = await objects.getBytes(key);
      return found && Buffer.from(found).toString();
    };

    it.each([
      ['bytes', () => bytes, bytes],
      ['a stream', () => Readable.from([bytes, bytes]), Buffer.concat([bytes, bytes])],
      ['nothing', () => new Uint8Array(), Buffer.alloc(0)],
      ['an empty stream', () => Readable.from([]), Buffer.alloc(0)],
    ])('returns %s unchanged', async (_name, body, expected) => {
      const key = `${folder}/deep/er/object.bin`;
      await objects.put(key, body());
      expect(Buffer.from((await objects.getBytes(key)) ?? 'none')).toEqual(expected);
      const found = await objects.get(key);
      expect(found?.size).toBe(expected.length);
      expect(found && (await buffer(found.body))).toEqual(expected);
    });

    it('returns undefined if there is no object', async () => {
      await objects.put(`${folder}/a/b`, bytes);
      for (const key of [`${folder}/none`, `${folder}/a`, `${folder}/a/b/c`]) {
        expect(await objects.get(key)).toBeUndefined();
      }
      expect(await objects.getBytes(`${folder}/none`)).toBeUndefined();
      expect(await objects.getBytes(`${folder}/a`)).toBeUndefined();
    });

    it('transfers a stream larger than its buffers', async () => {
      const piece = Buffer.alloc(1_000_000, 7);
      await objects.put(`${folder}/big`, Readable.from(Array.from({ length: 12 }, () => piece)));
      const found = await objects.get(`${folder}/big`);
      expect(found?.size).toBe(12_000_000);
      expect(found && (await buffer(found.body)).every((byte) => byte === 7)).toBe(true);
    });

    it('replaces an object, and a concurrent reader sees one complete version', async () => {
      const key = `${folder}/a`;
      await objects.put(key, Buffer.from('old'));
      const begun = await objects.get(key);
      await objects.put(key, Buffer.from('new and longer'));
      const read = begun && String(await buffer(begun.body));
      expect(['old', 'new and longer']).toContain(read);
      expect(begun?.size).toBe(read?.length);
      expect(await textOf(key)).toBe('new and longer');
    });

    it('keeps one of several concurrent PUTs', async () => {
      const texts = Array.from({ length: 10 }, (_, index) => String(index).repeat(100_000 + index));
      await Promise.all(texts.map((text) => objects.put(`${folder}/a`, Buffer.from(text))));
      expect(texts).toContain(await textOf(`${folder}/a`));
    });

    it('keeps the old bytes when a stream breaks off', async () => {
      await objects.put(`${folder}/a`, Buffer.from('old'));
      const broken = Readable.from(
        (async function* () {
          yield Buffer.from('new');
          throw new Error('gone');
        })(),
      );
      await expect(objects.put(`${folder}/a`, broken)).rejects.toThrow('gone');
      expect(await textOf(`${folder}/a`)).toBe('old');
    });

    it('removes an object, once or twice', async () => {
      await objects.put(`${folder}/a`, bytes);
      await objects.put(`${folder}/b`, bytes);
      await objects.delete(`${folder}/a`);
      await objects.delete(`${folder}/a`);
      expect(await objects.getBytes(`${folder}/a`)).toBeUndefined();
      expect(await objects.getBytes(`${folder}/b`)).toBeDefined();
    });

    it('removes everything under a prefix and nothing else', async () => {
      const [inside, outside] = [
        ['w/1', 'w/2', 'w/deep/3'],
        ['w2/1', 'other'],
      ];
      for (const key of [...inside, ...outside]) await objects.put(`${folder}/${key}`, bytes);
      await objects.deletePrefix(`${folder}/w/`);
      await objects.deletePrefix(`${folder}/w/`);
      for (const key of inside) expect(await objects.getBytes(`${folder}/${key}`)).toBeUndefined();
      for (const key of outside) expect(await objects.getBytes(`${folder}/${key}`)).toBeDefined();
    });

    it('reports no existing object as deleted', async () => {
      await objects.put(`${folder}/there`, bytes);
      expect(await objects.isDeleted(`${folder}/there`)).toBe(false);
    });

    it('lists a prefix in byte order, from any key on', async () => {
      const inside = ['w/0', 'w/1', 'w/Z', 'w/a', 'w/deep/3', 'w/é'].map((key) => `${folder}/${key}`);
      for (const key of [...inside, `${folder}/w2/1`].reverse()) await objects.put(key, bytes);
      const listed = async (prefix: string, after?: string) =>
        (await Array.fromAsync(objects.keys(prefix, after))).flat();
      expect(await listed(`${folder}/w/`)).toEqual(inside);
      expect(await listed(`${folder}/w/`, inside[2])).toEqual(inside.slice(3));
      expect(await listed(`${folder}/none/`)).toEqual([]);
    });

    describe('presigned URL', () => {
      const offer = (changes: { size?: number; expiresInSeconds?: number } = {}) =>
        objects.presignPut(`${folder}/up load+é`, { size: 5, expiresInSeconds: 60, ...changes });
      const stored = () => textOf(`${folder}/up load+é`);

      it('accepts exactly the bytes that it was created for', async () => {
        const request = await offer();
        expect(new Date(request.expiresAt).getTime()).toBeGreaterThan(Date.now() + 50_000);
        expect(await upload(request, Buffer.from('12345'))).toBe(true);
        expect(await stored()).toBe('12345');
      });

      if (signaturesUnchecked) return;

      it.each([['1234'], ['123456'], ['']])('rejects %j if 5 bytes were announced', async (body) => {
        expect(await upload(await offer(), Buffer.from(body))).toBe(false);
        expect(await stored()).toBeUndefined();
      });

      it('rejects an upload after its expiration', async () => {
        const request = await offer({ expiresInSeconds: 1 });
        await new Promise((resolve) => setTimeout(resolve, 1200));
        expect(await upload(request, Buffer.from('12345'))).toBe(false);
        expect(await stored()).toBeUndefined();
      });

      it('rejects an upload to another key', async () => {
        const request = await offer();
        const url = request.url.replace(folder, `${folder}x`);
        expect(await upload({ ...request, url }, Buffer.from('12345'))).toBe(false);
      });
    });
  });
}

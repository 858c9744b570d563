import { LRUCache } from 'lru-cache';
import type { Location } from '../../datasets/links/mounts.ts';
import { TooLarge } from '../../errors.ts';
import type { KnownFormat } from '../../formats/all-formats.ts';
import { decodeSource } from '../../formats/decode-source.ts';
import type { Decoded } from '../../formats/format.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { openInside } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';

export async function readBytes({ root, path }: Location): Promise<Buffer> {
  await using handle = await openInside(root, path);
  const { size } = await handle.stat();
  if (size > MAX_FILE_BYTES)
    throw new TooLarge(
      'file_too_large',
      'path is over 50 MB. Search it with grep, or extract a part with bash.',
      { field: 'path' },
    );
  return await readAtMost(handle, size);
}

/** Cached because a long file is read in many parts, one call each, and decoding it takes seconds. */
const cache = new LRUCache<string, Decoded>({ max: 4 });

/** Returns the text of a file with its parts; undefined for a binary file. */
export async function readFileText(
  format: KnownFormat,
  bytes: Buffer,
  { hash, whose }: { hash: string; whose: string },
): Promise<Decoded | undefined> {
  const key = `${format.name} ${hash}`;
  const decoded = cache.get(key) ?? (await decodeSource(format, bytes, whose));
  if (decoded !== undefined && format.content === 'encoded') cache.set(key, decoded);
  return decoded;
}

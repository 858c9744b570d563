import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Computes SHA-256 in hex in libuv's thread pool, so that hashing a large file never blocks the event loop. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Buffer.from(digest).toString('hex');
}

/** Hashes a file in pieces, because it may be larger than memory, and many may be hashed at once. */
export async function hashOfFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

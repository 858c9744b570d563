import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** Bytes that are hashed in less time (under 0.1 ms) than handing them to the thread pool takes. */
const SMALL_BYTES = 64 * 1024;

/**
 * Computes SHA-256 in hexadecimal. Hashes large files in libuv's thread pool, so that the event loop is never
 * blocked.
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= SMALL_BYTES) return createHash('sha256').update(bytes).digest('hex');
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Buffer.from(digest).toString('hex');
}

/** Hashes a file in pieces, because it may be larger than memory, and many may be hashed at once. */
export async function hashOfFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

import { createHash } from 'node:crypto';

/** Returns the SHA-256 of bytes, or of a text in UTF-8, in hex. */
export function digest(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

import { createHash } from 'node:crypto';

/** The id of an owner as a part of a key, whatever characters it has. */
export function ownerKey(ownerId: string): string {
  return createHash('sha256').update(ownerId).digest('base64url');
}

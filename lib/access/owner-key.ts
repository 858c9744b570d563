import { createHash } from 'node:crypto';

/** Encodes an owner's ID as part of a key, whatever characters it has. */
export function ownerKey(ownerId: string): string {
  return createHash('sha256').update(ownerId).digest('base64url');
}

import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a given value with a secret in constant time, even if their lengths differ. */
export function constantTimeEqual(expected: string, given: string): boolean {
  return timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

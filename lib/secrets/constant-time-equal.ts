import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether what was given is the secret; takes as long whatever is wrong with it, its length included. */
export function constantTimeEqual(expected: string, given: string): boolean {
  return timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

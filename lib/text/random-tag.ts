import { randomBytes } from 'node:crypto';

/** For the names of the elements of one prompt: no text that was written before can know it. */
export function randomTag(): string {
  return randomBytes(8).toString('hex');
}

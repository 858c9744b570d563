import { randomBytes } from 'node:crypto';

/**
 * Returns a random tag for delimiting untrusted content in a prompt. Text that was written earlier can't
 * contain it.
 */
export function randomTag(): string {
  return randomBytes(8).toString('hex');
}

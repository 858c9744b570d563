import { randomBytes } from 'node:crypto';

/** Returns a random tag that delimits untrusted content in a prompt, because text written earlier can't contain it. */
export function randomTag(): string {
  return randomBytes(8).toString('hex');
}

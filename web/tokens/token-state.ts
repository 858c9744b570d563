import type { Schemas } from '../../lib/api-contract/schema.ts';

type Ends = Pick<Schemas['Token'], 'expiresAt' | 'revokedAt'>;

/** Returns whether the token is active, expired, or revoked. */
export function stateOf({ expiresAt, revokedAt }: Ends, now = Date.now()): 'valid' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'valid';
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the day this many days from now; null for `never`. */
export function endAfter(days: string, now = Date.now()): string | null {
  const count = Number(days);
  return Number.isInteger(count) && count > 0 ? new Date(now + count * DAY_MS).toISOString() : null;
}

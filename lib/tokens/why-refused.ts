import type { TimedRecords } from '../ports/timed-records.ts';
import { findBySecret, isValid } from './authorize.ts';
import { hashSecret } from './tokens.ts';

/** Returns why authorizeToken refused a secret, for the log. The caller learns only that it was refused. */
export async function whyRefused(
  { records, clock }: TimedRecords,
  secret: string,
): Promise<'unknown' | 'revoked' | 'expired' | 'rotated'> {
  const token = await findBySecret(records, hashSecret(secret));
  if (token === undefined) return 'unknown';
  if (token.revokedAt !== null) return 'revoked';
  return isValid(token, clock.now()) ? 'rotated' : 'expired';
}

import type { TimedRecords } from '../ports/timed-records.ts';
import { tokens } from './schema.ts';
import { hashSecret } from './tokens.ts';

/** Returns why authorizeToken refused a secret, for the log. The caller learns only that it was refused. */
export async function whyRefused(
  { records, clock }: TimedRecords,
  secret: string,
): Promise<'unknown' | 'revoked' | 'expired' | 'invalid'> {
  const token = await tokens.get(records, { hash: hashSecret(secret) });
  if (token === undefined) return 'unknown';
  if (token.revokedAt !== null) return 'revoked';
  const { expiresAt } = token;
  return expiresAt !== null && Date.parse(expiresAt) <= clock.now() ? 'expired' : 'invalid';
}

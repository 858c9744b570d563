import { createHash, randomBytes } from 'node:crypto';
import { InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import { ifExpected } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { PageQuery } from '../records/page.ts';
import { type CreatedToken, type CreateToken, type StoredToken, type Token, tokens } from './schema.ts';

/** Makes a token; its secret is in the answer and nowhere else. Throws InvalidInput when it would be expired already. */
export async function createToken(
  { records, clock }: TimedRecords,
  input: CreateToken,
): Promise<CreatedToken> {
  const secret = `wrs_${randomBytes(32).toString('base64url')}`;
  const token: Token = {
    id: newId(),
    name: input.name,
    role: input.role,
    workspaceIds: input.workspaceIds ?? null,
    createdAt: timestamp(clock),
    expiresAt: readExpiry(clock, input.expiresAt ?? null),
    lastUsedAt: null,
    revokedAt: null,
  };
  await tokens.create(records, { ...token, hash: hashSecret(secret) });
  return { ...token, secret };
}

/** Newest first, revoked ones too. */
export async function listTokens(
  { records }: TimedRecords,
  { limit, cursor }: PageQuery,
): Promise<{ items: Token[]; cursor?: string }> {
  const query = { partition: 'TOKEN_BY_ID', byIndex: true, order: 'descending' as const, limit, cursor };
  const page = await tokens.list(records, query);
  return { ...page, items: page.items.map(withoutHash) };
}

/** From the next request on the token is refused. Revoking twice keeps the first time. Throws NotFound. */
export async function revokeToken({ records, clock }: TimedRecords, id: string): Promise<void> {
  const found = await tokens.list(records, {
    partition: 'TOKEN_BY_ID',
    byIndex: true,
    from: id,
    to: id,
    limit: 1,
  });
  const token = found.items[0];
  if (token === undefined) throw new NotFound('no such token');
  const change = { set: { revokedAt: timestamp(clock) } };
  await ifExpected(tokens.update(records, token, change, { revokedAt: null })); // else it was revoked before
}

/** What is kept of a secret. Its 256 random bits make a slow hash needless; finding it by hash leaks no timing of use. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function readExpiry(clock: Clock, expiresAt: string | null): string | null {
  if (expiresAt === null) return null;
  const time = Date.parse(expiresAt);
  if (time <= clock.now()) throw new InvalidInput('expiresAt: lies in the past');
  return new Date(time).toISOString();
}

function withoutHash({ hash: _hash, ...token }: StoredToken): Token {
  return token;
}

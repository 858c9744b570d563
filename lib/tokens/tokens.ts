import { createHash, randomBytes } from 'node:crypto';
import { type Caller, isWithinBounds, requireRole } from '../access/caller.ts';
import { Forbidden, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { keepPerson } from '../people/remember.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { type PageQuery, pageUpTo } from '../records/page.ts';
import {
  BY_ID,
  type CreatedToken,
  type CreateToken,
  type StoredToken,
  type Token,
  tokens,
} from './schema.ts';

/** Why creating a token would have no effect. */
export const NO_TOKENS =
  'With AUTH_MODE=oidc, the service accepts API tokens only if OIDC_API_TOKENS=on is set.';

/**
 * Creates a token. Only this result contains its secret. Throws InvalidInput if the token would already be
 * expired, Forbidden if it would grant more than the caller has: a higher role, other workspaces, or a later
 * expiry. A token that `continues` another caller gets that caller's conversations, so only the host's
 * operator may create it.
 */
export async function createToken(
  { records, clock }: TimedRecords,
  caller: Caller,
  input: CreateToken,
  continues?: StoredToken['continues'],
): Promise<CreatedToken> {
  const secret = newSecret();
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
  requireNoMore(caller, token);
  await tokens.create(records, { ...token, hash: hashSecret(secret), ...(continues && { continues }) });
  const { id, name, role, workspaceIds } = token;
  // Member lists and budgets show the token's name even before its first use.
  await keepPerson({ records, clock }, { id, kind: 'token', name, email: null, role, workspaceIds });
  return { ...token, secret };
}

export function newSecret(): string {
  return `wrs_${randomBytes(32).toString('base64url')}`;
}

/** Throws if a token would grant more than the caller has. */
export function requireNoMore(
  caller: Caller,
  { role, workspaceIds, expiresAt }: Pick<Token, 'role' | 'workspaceIds' | 'expiresAt'>,
): void {
  requireRole(caller, role);
  if (!isWithinBounds(caller, workspaceIds))
    throw new Forbidden(
      'token_exceeds_caller',
      'workspaceIds can list only workspaces that your own token includes.',
      { field: 'workspaceIds' },
    );
  if (caller.expiresAt !== undefined && (expiresAt === null || expiresAt > caller.expiresAt))
    throw new Forbidden(
      'token_exceeds_caller',
      `expiresAt can't be later than the expiration of your own token, ${caller.expiresAt}.`,
      { field: 'expiresAt' },
    );
}

/**
 * Lists tokens newest first, including revoked ones. A workspace-scoped caller sees only tokens without other
 * workspaces.
 */
export async function listTokens(
  { records }: TimedRecords,
  caller: Caller,
  { limit, cursor }: PageQuery,
): Promise<{ items: Token[]; cursor?: string }> {
  const page = await pageUpTo((to) => tokensWithin(records, caller, limit, to), { limit, cursor });
  return { ...page, items: page.items.map(describeToken) };
}

async function* tokensWithin(
  records: Records,
  caller: Caller,
  limit: number,
  to: string | undefined,
): AsyncGenerator<StoredToken> {
  const query = { partition: BY_ID, byIndex: true, order: 'descending' as const, limit: limit + 2, to };
  for await (const token of tokens.all(records, query))
    if (isWithinBounds(caller, token.workspaceIds)) yield token;
}

/**
 * Revokes the token, which is rejected from the next request on. A second revocation keeps the first time.
 * Throws NotFound, and Forbidden for a token that covers workspaces that the caller's credential doesn't.
 */
export async function revokeToken(
  { records, clock }: TimedRecords,
  caller: Caller,
  id: string,
): Promise<void> {
  const token = await requireToken(records, caller, id);
  const change = { set: { revokedAt: timestamp(clock) } };
  // Otherwise, it was already revoked.
  await ifExpected(tokens.update(records, token, change, { revokedAt: null }));
}

/** Throws NotFound, and Forbidden for a token that covers workspaces that the caller's credential doesn't. */
export async function requireToken(records: Records, caller: Caller, id: string): Promise<StoredToken> {
  return requireWithin(caller, await findToken(records, id));
}

/** Throws like `requireToken()`. */
export function requireWithin(caller: Caller, token: StoredToken | undefined): StoredToken {
  if (token === undefined) throw new NotFound('token_not_found', 'This token does not exist.');
  if (!isWithinBounds(caller, token.workspaceIds))
    throw new Forbidden(
      'workspace_scoped_token',
      "This token is limited to its workspaces and can't change tokens for others.",
    );
  return token;
}

/**
 * Finds a token by its ID, which isn't its key. On DynamoDB, the index may lag for a moment. A forged row,
 * which no list returns, may have the same position in the index.
 */
export async function findToken(records: Records, id: string): Promise<StoredToken | undefined> {
  const query = { partition: BY_ID, byIndex: true, from: id, to: id, limit: 10 };
  for await (const token of tokens.all(records, query)) return token;
  return undefined;
}

/**
 * Returns the stored form of a secret. It has 256 random bits, so a slow hash is unnecessary, and the timing
 * of a lookup by hash leaks nothing useful.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Later years are written with a sign and more digits. No record accepts them, and they sort before all other
 * years.
 */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Throws InvalidInput. */
export function readExpiry(clock: Clock, expiresAt: string | null): string | null {
  if (expiresAt === null) return null;
  const time = Date.parse(expiresAt);
  if (time <= clock.now())
    throw new InvalidInput('invalid_value', 'expiresAt must be in the future.', { field: 'expiresAt' });
  if (time > LAST_TIME)
    throw new InvalidInput('invalid_value', 'expiresAt must be before the year 10000.', {
      field: 'expiresAt',
    });
  return new Date(time).toISOString();
}

/** Returns the token as the API shows it. */
export function describeToken({
  hash: _h,
  continues: _c,
  secrets: _s,
  version: _v,
  ...token
}: StoredToken): Token {
  return token;
}

/** Changes a token that was read. Undefined if it was changed, rotated, or revoked in the meantime. */
export function changeAsRead(
  records: Records,
  before: StoredToken,
  fields: Partial<StoredToken>,
): Promise<StoredToken | undefined> {
  const { version } = before;
  const next = { ...fields, version: (version ?? 0) + 1 };
  return tokens.patch(records, before, next, { version, revokedAt: null });
}

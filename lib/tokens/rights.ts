import { type Caller, LOCAL, mayUse } from '../access/caller.ts';
import { type GuardedPlace, roleIn } from '../access/members.ts';
import { hasRole, type Role } from '../api-contract/roles.ts';
import { Forbidden } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { callerOfToken, earlierEnd, isValid } from './authorize.ts';
import { BY_ID, type StoredToken, tokens } from './schema.ts';
import { findToken } from './tokens.ts';

const TOKEN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TOKEN = 'The token that this runs as';
const PERSON = 'The person this runs for';

/**
 * Checks that a caller may still do what they requested, for work that continues after the request. A token
 * is checked by its record. Other credentials (a JWT, a chat user, AUTH_MODE=disabled) are accepted with the
 * groups that they had. The workspace members (ACL) are checked as they are now. A `place` of null means
 * every workspace. Throws Forbidden.
 */
export async function requireRights(
  ports: TimedRecords,
  caller: Caller,
  role: Role,
  place: GuardedPlace | null,
): Promise<void> {
  const now = await callerNow(ports, caller);
  if (!hasRole(now, role)) throw new Forbidden('rights_lost', `${TOKEN} no longer has the ${role} role.`);
  if (place === null ? now.workspaceIds !== null : !mayUse(now, place.id))
    throw new Forbidden(
      'rights_lost',
      `${TOKEN} no longer includes ${place === null ? 'all workspaces' : 'this workspace'}.`,
    );
  if (place !== null) requireListed(now, role, place);
}

/** Returns whether `requireRights()` accepts the caller. */
export async function hasRights(
  ...[ports, caller, role, place]: Parameters<typeof requireRights>
): Promise<boolean> {
  try {
    await requireRights(ports, caller, role, place);
    return true;
  } catch (error) {
    if (error instanceof Forbidden) return false;
    throw error;
  }
}

function requireListed(caller: Caller, role: Role, place: GuardedPlace): void {
  const left = roleIn(caller, place);
  if (left === undefined)
    throw new Forbidden('rights_lost', `${PERSON} is no longer a member of this workspace.`);
  if (!hasRole({ ...caller, role: left }, role))
    throw new Forbidden('rights_lost', `${PERSON} no longer has the ${role} role in this workspace.`);
}

/** Returns a caller's token; undefined for other credentials. */
export async function tokenOf(
  records: Records,
  { id, tokenId }: Pick<Caller, 'id' | 'tokenId'>,
): Promise<StoredToken | undefined> {
  const wanted = tokenId ?? id;
  return TOKEN_ID.test(wanted) ? findToken(records, wanted) : undefined;
}

/** Returns the caller ID of a person, who may be named by the ID of a token that continues another caller. */
export async function callerIdOf(records: Records, id: string): Promise<string> {
  return (await tokenOf(records, { id }))?.continues ?? id;
}

/** Returns the tokens of a caller: their own, or all that continue them. */
export async function tokensOf(records: Records, id: string): Promise<StoredToken[]> {
  const own = await tokenOf(records, { id });
  if (own !== undefined || id !== LOCAL) return own === undefined ? [] : [own];
  const all = await Array.fromAsync(tokens.all(records, { partition: BY_ID, byIndex: true }));
  return all.filter(({ continues }) => continues === id);
}

/** Returns whether the caller's credential is this token. */
export function isHolder({ id, tokenId }: Caller, token: StoredToken): boolean {
  return token.id === (tokenId ?? id);
}

/**
 * Returns the caller whose rights decide on a change of a token. For the caller's own token, these are the
 * current rights, because the token may have lost some since the request started.
 */
export function whoChanges(caller: Caller, token: StoredToken): Caller {
  if (!isHolder(caller, token)) return caller;
  const { role, workspaceIds, expiresAt } = token;
  const end = earlierEnd(expiresAt, caller.expiresAt ?? null);
  return { ...caller, role, workspaceIds, expiresAt: end ?? undefined };
}

/**
 * Returns a caller with the current rights of their token. Throws Forbidden if the token has expired or was
 * revoked.
 */
export async function callerNow({ records, clock }: TimedRecords, caller: Caller): Promise<Caller> {
  const token = await tokenOf(records, caller);
  if (token === undefined) return caller;
  if (token.revokedAt !== null) throw new Forbidden('rights_lost', `${TOKEN} was revoked.`);
  if (!isValid(token, clock.now())) throw new Forbidden('rights_lost', `${TOKEN} has expired.`);
  return callerOfToken(token);
}

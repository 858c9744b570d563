import { type Caller, hasRole, mayUse, type Role } from '../access/caller.ts';
import { type GuardedPlace, roleIn } from '../access/members.ts';
import { Forbidden } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { callerOfToken, isValid } from './authorize.ts';
import { findToken } from './tokens.ts';

const TOKEN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TOKEN = 'The token that this runs as';
const PERSON = 'The person this runs for';

/**
 * Whether somebody may still do what he asked for, for work that goes on after the request that began it. A token's
 * record says so; whatever else was let in (a JWT, a chat's person, AUTH_MODE=disabled) is taken as it was, with its
 * groups of that time. The member list says who may enter the workspace now. `place` null = every workspace. Throws
 * Forbidden.
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

function requireListed(caller: Caller, role: Role, place: GuardedPlace): void {
  const left = roleIn(caller, place);
  if (left === undefined)
    throw new Forbidden('rights_lost', `${PERSON} is no longer a member of this workspace.`);
  if (!hasRole({ ...caller, role: left }, role))
    throw new Forbidden('rights_lost', `${PERSON} no longer has the ${role} role in this workspace.`);
}

async function callerNow({ records, clock }: TimedRecords, caller: Caller): Promise<Caller> {
  const token = TOKEN_ID.test(caller.id) ? await findToken(records, caller.id) : undefined;
  if (token === undefined) return caller;
  if (token.revokedAt !== null) throw new Forbidden('rights_lost', `${TOKEN} was revoked.`);
  if (!isValid(token, clock.now())) throw new Forbidden('rights_lost', `${TOKEN} has expired.`);
  return callerOfToken(token);
}

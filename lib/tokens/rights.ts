import { type Caller, hasRole, mayUse, type Role } from '../access/caller.ts';
import { type GuardedPlace, roleIn } from '../access/members.ts';
import { Forbidden } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { callerOfToken, isValid } from './authorize.ts';
import { findToken } from './tokens.ts';

const TOKEN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WHOSE = 'the token in whose name this runs';
const WHO = 'who this runs for';

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
  if (!hasRole(now, role)) throw new Forbidden('forbidden', `${WHOSE} has not the role ${role} any more`);
  if (place === null ? now.workspaceIds !== null : !mayUse(now, place.id))
    throw new Forbidden(
      'forbidden',
      `${WHOSE} is not for ${place === null ? 'all workspaces' : 'this workspace'} any more`,
    );
  if (place !== null) requireListed(now, role, place);
}

function requireListed(caller: Caller, role: Role, place: GuardedPlace): void {
  const left = roleIn(caller, place);
  if (left === undefined)
    throw new Forbidden('forbidden', `${WHO} is not on the list of this workspace any more`);
  if (!hasRole({ ...caller, role: left }, role))
    throw new Forbidden('forbidden', `${WHO} has not the role ${role} in this workspace any more`);
}

async function callerNow({ records, clock }: TimedRecords, caller: Caller): Promise<Caller> {
  const token = TOKEN_ID.test(caller.id) ? await findToken(records, caller.id) : undefined;
  if (token === undefined) return caller;
  if (token.revokedAt !== null) throw new Forbidden('forbidden', `${WHOSE} was revoked`);
  if (!isValid(token, clock.now())) throw new Forbidden('forbidden', `${WHOSE} has ended`);
  return callerOfToken(token);
}

import { type Caller, hasRole, mayUse, type Role } from '../access/caller.ts';
import { Forbidden } from '../errors.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { callerOf, isValid } from './authorize.ts';
import { findToken } from './tokens.ts';

const TOKEN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WHOSE = 'the token in whose name this runs';

/**
 * For what goes on after the request that began it: whether whoever asked for it could still do so. Of a token its record
 * says that; what else was let in (a JWT, a chat's person, AUTH_MODE=disabled) is as it was. `workspaceId` null = every
 * workspace. Throws Forbidden.
 */
export async function requireRights(
  ports: TimedRecords,
  caller: Caller,
  role: Role,
  workspaceId: string | null,
): Promise<void> {
  const now = await callerNow(ports, caller);
  if (!hasRole(now, role)) throw new Forbidden(`${WHOSE} has not the role ${role} any more`);
  if (workspaceId === null ? now.workspaceIds !== null : !mayUse(now, workspaceId))
    throw new Forbidden(
      `${WHOSE} is not for ${workspaceId === null ? 'all workspaces' : 'this workspace'} any more`,
    );
}

async function callerNow({ records, clock }: TimedRecords, caller: Caller): Promise<Caller> {
  const token = TOKEN_ID.test(caller.id) ? await findToken(records, caller.id) : undefined;
  if (token === undefined) return caller;
  if (token.revokedAt !== null) throw new Forbidden(`${WHOSE} was revoked`);
  if (!isValid(token, clock.now())) throw new Forbidden(`${WHOSE} has ended`);
  return callerOf(token);
}

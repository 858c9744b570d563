import { type Caller, hasRole } from '../access/caller.ts';
import { type Member, requireStillAdmin } from '../access/members.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { type Workspace, workspaces } from './schema.ts';

/**
 * Puts this list in the place of the one before, in one write: a request is judged by the one or the other. Throws
 * InvalidInput for a list by which the caller could not change it again, NotFound where the workspace has gone meanwhile.
 */
export async function putMembers(
  records: Records,
  caller: Caller,
  workspaceId: string,
  members: Member[],
): Promise<Member[]> {
  requireStillAdmin(caller, { id: workspaceId, members });
  const changed = await ifExpected(workspaces.update(records, { id: workspaceId }, { set: { members } }));
  if (changed === undefined) throw new NotFound('no such workspace');
  return members;
}

/** The list goes with the workspace, and its files stay: whoever may not lift the one does not remove the other. Throws Forbidden. */
export function requireMayRemove(caller: Caller, { members = [] }: Workspace): void {
  if (members.length > 0 && !hasRole(caller, 'admin'))
    throw new Forbidden('a workspace with a list of members is removed by an administrator of it');
}

import { type Caller, hasRole } from '../access/caller.ts';
import { type Member, requireStillAdmin, roleIn } from '../access/members.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { requireMatch } from '../records/etag.ts';
import { type Workspace, workspaces } from './schema.ts';

/**
 * Puts this list in the place of the one before, in one write: a request is judged by the one or the other. Throws
 * InvalidInput for a list by which the caller could not change it again, Forbidden where the list that is there when it is written
 * makes him no administrator (any more), Conflict where `ifMatch` names another, NotFound where the workspace has gone meanwhile.
 */
export async function putMembers(
  records: Records,
  caller: Caller,
  workspaceId: string,
  { members, ifMatch }: { members: Member[]; ifMatch: string | undefined },
): Promise<void> {
  requireStillAdmin(caller, { id: workspaceId, members });
  for (;;) {
    const before = await workspaces.get(records, { id: workspaceId });
    if (before === undefined) throw new NotFound('workspace_not_found', 'This workspace does not exist.');
    const { members: there = [], membersStamp } = before;
    if (roleIn(caller, { id: workspaceId, members: there }) !== 'admin')
      throw new Forbidden('role_required', 'You are no longer an administrator of this workspace.');
    requireMatch(ifMatch, there);
    const set = { members, membersStamp: newId() };
    if (await ifExpected(workspaces.update(records, { id: workspaceId }, { set }, { membersStamp }))) return;
  }
}

/**
 * The list goes with the workspace, and its files stay: whoever may not lift the one does not remove the other. Throws
 * Forbidden.
 */
export function requireMayRemove(caller: Caller, { members = [] }: Workspace): void {
  if (members.length > 0 && !hasRole(caller, 'admin'))
    throw new Forbidden(
      'role_required',
      'Only an administrator of this workspace can remove it, because it has a list of members.',
    );
}

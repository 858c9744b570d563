import type { Caller } from '../access/caller.ts';
import { type Member, requireStillAdmin, roleIn } from '../access/members.ts';
import { hasRole } from '../api-contract/roles.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { failOvertaken, whileOvertaken } from '../records/change.ts';
import { requireMatch } from '../records/etag.ts';
import { type Workspace, workspaces } from './schema.ts';

/**
 * Replaces the workspace members in one write, so that every request sees either the old or the new list.
 * Throws InvalidInput for a list that the caller could no longer change, Forbidden if the caller isn't an
 * administrator in the list at the time of writing, Conflict if `ifMatch` names another state, NotFound if
 * the workspace has been deleted.
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
 * Deleting a workspace deletes its members (ACL), but not its files, so callers who can't lift the
 * restriction can't delete the workspace. Only its administrators can change its name, because others find it
 * by the name. Throws Forbidden.
 */
export function requireMayManage(
  caller: Caller,
  { members = [] }: Workspace,
  action: 'remove' | 'rename',
): void {
  if (members.length > 0 && !hasRole(caller, 'admin'))
    throw new Forbidden(
      'role_required',
      `Only an administrator of this workspace can ${action} it, because it has a list of members.`,
    );
}

/** Changes the list for the service itself. Does nothing for a deleted workspace. */
export async function changeMembers(
  records: Records,
  workspaceId: string,
  change: (members: Member[]) => Member[],
): Promise<void> {
  await whileOvertaken(async () => {
    const before = await workspaces.get(records, { id: workspaceId });
    if (before === undefined) return true;
    const { membersStamp } = before;
    const set = { members: change(before.members ?? []), membersStamp: newId() };
    return ifExpected(workspaces.update(records, { id: workspaceId }, { set }, { membersStamp }));
  }, failOvertaken);
}

import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { hasRights } from '../tokens/rights.ts';
import { changeMembers } from '../workspaces/members.ts';
import type { Workspace } from '../workspaces/schema.ts';

export function isMember({ members = [] }: Workspace, id: string): boolean {
  return members.some(({ subject }) => subject === id);
}

/** Returns whether no other entry of the list can manage it. Global administrators always can. */
export async function isOnlyAdmin(
  ports: TimedRecords,
  { id: workspaceId, members = [] }: Workspace,
  id: string,
): Promise<boolean> {
  if (!members.some(({ subject, role }) => subject === id && role === 'admin')) return false;
  const others = members.filter(({ subject, role }) => subject !== id && role === 'admin');
  const remain = await Promise.all(others.map(({ subject }) => mayManage(ports, workspaceId, subject)));
  return !remain.includes(true);
}

/**
 * Returns true for a group, for a user of the issuer, and for a token that is currently an administrator's in
 * this workspace.
 */
async function mayManage(ports: TimedRecords, id: string, subject: string | undefined): Promise<boolean> {
  if (subject === undefined) return true;
  return hasRights(ports, { id: subject, role: 'admin', workspaceIds: null }, 'admin', { id });
}

/** Gives the entry of a person to another one. */
export function replaceAdmin(records: Records, { id }: Workspace, from: string, to: string): Promise<void> {
  return changeMembers(records, id, (members) => {
    const others = members.filter(({ subject }) => subject !== from && subject !== to);
    return others.length === members.length ? members : [...others, { subject: to, role: 'admin' }];
  });
}

/** Removes the entry of a person, unless the workspace would then be open to everyone. */
export function removeMember(records: Records, { id }: Workspace, from: string): Promise<void> {
  return changeMembers(records, id, (members) => {
    const others = members.filter(({ subject }) => subject !== from);
    return others.length === 0 ? members : others;
  });
}

import type { Caller } from '../access/caller.ts';
import { type Member, requireStillAdmin } from '../access/members.ts';
import { NotFound } from '../errors.ts';
import { ifExpected, type Records } from '../ports/records.ts';
import { workspaces } from './schema.ts';

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

import { type Caller, mayUse } from '../access/caller.ts';
import { Forbidden, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { type Workspace, workspaces } from './schema.ts';

/** The workspace, for a caller who may use it. Throws NotFound, or Forbidden for one outside the caller's list. */
export async function findWorkspace(
  records: Records,
  caller: Caller,
  workspaceId: string,
): Promise<Workspace> {
  const workspace = await workspaces.get(records, { id: workspaceId });
  if (workspace === undefined) throw new NotFound('no such workspace');
  if (!mayUse(caller, workspaceId)) throw new Forbidden('this credential is not for that workspace');
  return workspace;
}

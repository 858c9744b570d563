import { type Caller, mayUse } from '../access/caller.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { leadsToOwnPlace } from '../paths/own-folders.ts';
import type { Records } from '../ports/records.ts';
import { type Workspace, workspaces } from './schema.ts';

/**
 * The workspace, for a caller who may use it. Throws NotFound, or Forbidden for one outside the caller's list, and for one
 * that nobody works in (requireApart).
 */
export async function findWorkspace(
  records: Records,
  caller: Caller,
  workspaceId: string,
): Promise<Workspace> {
  const workspace = await findWorkspaceToRemove(records, caller, workspaceId);
  await requireApart(workspace);
  return workspace;
}

/** The same for one of which nothing is wanted but that it goes. */
export async function findWorkspaceToRemove(
  records: Records,
  caller: Caller,
  workspaceId: string,
): Promise<Workspace> {
  const workspace = await workspaces.get(records, { id: workspaceId });
  if (workspace === undefined) throw new NotFound('no such workspace');
  if (!mayUse(caller, workspaceId)) throw new Forbidden('this credential is not for that workspace');
  return workspace;
}

/**
 * Throws Forbidden for a workspace in or around the service's own folders: made when that was possible, or led there by a
 * link that somebody put in its place.
 */
export async function requireApart({ rootPath }: Pick<Workspace, 'rootPath'>): Promise<void> {
  if (await leadsToOwnPlace(rootPath))
    throw new Forbidden("the workspace is in or around the service's own folders: it can only be removed");
}

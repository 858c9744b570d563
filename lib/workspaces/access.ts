import { type Caller, isAdminOfAll, mayUse } from '../access/caller.ts';
import { areOpen, callerIn, type GuardedPlace, roleIn } from '../access/members.ts';
import type { Role } from '../api-contract/roles.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { isInside } from '../paths/confine.ts';
import { leadsToOwnPlace } from '../paths/own-folders.ts';
import type { Records } from '../ports/records.ts';
import { rootWorkspaceId, type Workspace, workspaces } from './schema.ts';

/** The error codes of a request that names a workspace, or something in one. */
export const WORKSPACE_ERRORS = [
  'workspace_access_denied',
  'workspace_not_found',
  'workspace_unsafe',
] as const satisfies ErrorCode[];

/**
 * Returns the workspace for a caller with access. Throws NotFound, or Forbidden if it is outside the caller's list, if
 * its members (ACL) don't include the caller with a sufficient role (callerIn), or if it is in the service's own
 * folders (requireApart).
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

/**
 * Returns several workspaces, each once, for a caller who may read all of them. Throws the same NotFound for
 * one that doesn't exist and one that the caller may not read, after looking up all of them, so that the
 * caller learns nothing about other people's workspaces.
 */
export async function findWorkspaces(records: Records, caller: Caller, ids: string[]): Promise<Workspace[]> {
  const unique = [...new Set(ids)];
  const looked = await Promise.allSettled(unique.map((id) => findWorkspace(records, caller, id)));
  const failures = looked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const failure = failures.find((reason) => !isRefusal(reason)) ?? failures[0];
  if (failure === undefined)
    return looked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  throw isRefusal(failure) ? new NotFound('workspace_not_found', 'This workspace does not exist.') : failure;
}

function isRefusal(reason: unknown): boolean {
  return reason instanceof NotFound || reason instanceof Forbidden;
}

/**
 * Returns the caller's role in each of several workspaces, for a list; undefined without access. Reads each workspace
 * once, and none for a global administrator.
 */
export function rolesIn(
  records: Records,
  caller: Caller,
): (workspaceId: string) => Promise<Role | undefined> {
  const known = new Map<string, Promise<Role | undefined>>();
  const read = async (id: string) => roleIn(caller, await guardedPlaceOf(records, id));
  return async (workspaceId) => {
    if (isAdminOfAll(caller)) return caller.role;
    if (!mayUse(caller, workspaceId)) return undefined;
    const role = known.get(workspaceId) ?? read(workspaceId);
    known.set(workspaceId, role);
    return role;
  };
}

/**
 * Returns the current workspace, for callers that check access themselves. If it was deleted, returns only
 * its ID.
 */
export async function guardedPlaceOf(records: Records, id: string): Promise<GuardedPlace> {
  const workspace = await workspaces.get(records, { id });
  if (workspace === undefined || !isWholeRoot(workspace)) return workspace ?? { id };
  return { ...workspace, inner: await listedWithin(records, workspace.rootPath) };
}

function isWholeRoot({ id, rootPath }: Workspace): boolean {
  return id === rootWorkspaceId(rootPath);
}

/**
 * Returns the workspace for work whose caller was already checked. The workspace may have been deleted since.
 * Throws NotFound.
 */
export async function requireWorkspace(records: Records, id: string): Promise<Workspace> {
  const workspace = await workspaces.get(records, { id });
  if (workspace === undefined) throw new NotFound('workspace_not_found', 'This workspace does not exist.');
  return workspace;
}

/** Finds the workspace like findWorkspace, for callers who will only delete it. */
export async function findWorkspaceToRemove(
  records: Records,
  caller: Caller,
  workspaceId: string,
): Promise<Workspace> {
  const workspace = await requireWorkspace(records, workspaceId);
  callerIn(caller, workspace);
  if (isWholeRoot(workspace)) await requireOpenWithin(records, caller, workspace.rootPath);
  return workspace;
}

/**
 * Work in a whole root includes the workspaces below it. Throws Forbidden if the members (ACL) of one of them exclude
 * the caller, or give the caller a lower role than elsewhere.
 */
export async function requireOpenWithin(records: Records, caller: Caller, rootPath: string): Promise<void> {
  if (isAdminOfAll(caller) || areOpen(caller, await listedWithin(records, rootPath))) return;
  throw new Forbidden(
    'workspace_access_denied',
    "This directory contains a workspace that you aren't a member of. Use a workspace that you can enter.",
  );
}

async function listedWithin(records: Records, rootPath: string): Promise<Workspace[]> {
  const found: Workspace[] = [];
  for await (const workspace of workspaces.all(records, { partition: 'WORKSPACE' })) {
    const { members = [] } = workspace;
    if (members.length > 0 && isInside(rootPath, workspace.rootPath)) found.push(workspace);
  }
  return found;
}

/**
 * Throws Forbidden for a workspace in or around the service's own folders. It may have been created when that
 * was possible, or redirected there by a link that replaced it.
 */
export async function requireApart({ rootPath }: Pick<Workspace, 'rootPath'>): Promise<void> {
  if (await leadsToOwnPlace(rootPath))
    throw new Forbidden(
      'workspace_unsafe',
      "This workspace overlaps the service's own folders. It can only be removed.",
    );
}

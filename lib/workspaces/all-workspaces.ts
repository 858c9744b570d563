import type { Caller } from '../access/caller.ts';
import { InvalidInput, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { findWorkspace, findWorkspaces } from './access.ts';
import type { Workspace } from './schema.ts';
import { MAX_WORKSPACES } from './several-schema.ts';

/** A conversation or a run, which belongs to one workspace and may have sources from others. */
interface Placed {
  workspaceId: string;
  /** All workspaces, if there are several. */
  workspaceIds?: string[] | undefined;
}

/** Returns all workspaces that it may cite. */
export function allWorkspacesOf({ workspaceId, workspaceIds }: Placed): string[] {
  return workspaceIds ?? [workspaceId];
}

export function isOfSeveral({ workspaceIds }: Placed): boolean {
  return workspaceIds !== undefined;
}

/**
 * Returns whether the caller may read something about several workspaces, which requires access to all of
 * them now. If there is only one, findWorkspace checks it, with its own errors.
 */
export async function mayReadAll(records: Records, caller: Caller, placed: Placed): Promise<boolean> {
  if (!isOfSeveral(placed)) return true;
  try {
    await findWorkspaces(records, caller, allWorkspacesOf(placed));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Returns its workspace, or all of several, for a caller who may read them. Throws like the functions that it calls. */
export function findWorkspacesOf(
  records: Records,
  caller: Caller,
  { workspaceId, workspaceIds }: Placed,
): Promise<Workspace | Workspace[]> {
  if (workspaceIds === undefined) return findWorkspace(records, caller, workspaceId);
  return findWorkspaces(records, caller, workspaceIds);
}

/** Returns the items of a list that the caller may read. Items about the same workspaces are checked once. */
export async function onlyReadable<One extends Placed>(
  records: Records,
  caller: Caller,
  found: One[],
): Promise<One[]> {
  const known = new Map<string, Promise<boolean>>();
  const mayRead = (each: One) => {
    const key = allWorkspacesOf(each).join(' ');
    const may = known.get(key) ?? mayReadAll(records, caller, each);
    known.set(key, may);
    return may;
  };
  const may = await Promise.all(found.map(mayRead));
  return found.filter((_, at) => may[at]);
}

/**
 * Returns the workspaces of a conversation, together with those of its next question, for its record;
 * undefined if there is only one. Throws InvalidInput.
 */
export function joinWorkspaces(there: Placed, asked: readonly string[] = []): string[] | undefined {
  const all = [...new Set([...allWorkspacesOf(there), ...asked])];
  if (all.length > MAX_WORKSPACES)
    throw new InvalidInput(
      'workspace_mismatch',
      `workspaceIds must have at most ${MAX_WORKSPACES} workspaces with those of earlier questions.`,
      { field: 'workspaceIds' },
    );
  return all.length > 1 ? all : undefined;
}

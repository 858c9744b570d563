import type { Caller } from '../access/caller.ts';
import { InvalidInput, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { findWorkspaces, rolesIn } from '../workspaces/access.ts';
import { MAX_WORKSPACES } from '../workspaces/several-schema.ts';
import type { Conversation } from './schema.ts';

type Placed = Pick<Conversation, 'workspaceId' | 'workspaceIds'>;

/** Returns all workspaces that the answers of a conversation may cite. */
export function allWorkspacesOf({ workspaceId, workspaceIds }: Placed): string[] {
  return workspaceIds ?? [workspaceId];
}

export function isOfSeveral({ workspaceIds }: Placed): boolean {
  return workspaceIds !== undefined;
}

/**
 * Returns whether the caller may read a conversation about several workspaces, which requires access to all
 * of them now. If there is only one, findWorkspace checks it, with its own errors.
 */
export async function mayReadAll(records: Records, caller: Caller, conversation: Placed): Promise<boolean> {
  if (!isOfSeveral(conversation)) return true;
  try {
    await findWorkspaces(records, caller, allWorkspacesOf(conversation));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Returns the conversations of a list that the caller may read. */
export async function onlyReadable(
  records: Records,
  caller: Caller,
  found: Conversation[],
): Promise<Conversation[]> {
  const roleIn = rolesIn(records, caller);
  const readable = await Promise.all(
    found.map(async (each) => {
      const roles = isOfSeveral(each) ? await Promise.all(allWorkspacesOf(each).map(roleIn)) : [];
      return roles.every((role) => role !== undefined) ? [each] : [];
    }),
  );
  return readable.flat();
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

import { idSchema } from '../../identifiers.ts';
import type { Records } from '../../ports/records.ts';
import { findWorkspace, findWorkspaces } from '../../workspaces/access.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { workspaceIdsSchema } from '../../workspaces/several-schema.ts';
import type { McpContext } from './tool.ts';

/**
 * Finds the workspace that a call names, for its caller. Tools never find workspaces themselves. Throws
 * NotFound, Forbidden.
 */
export function findNamed(
  { records }: { records: Records },
  { caller }: Pick<McpContext, 'caller'>,
  workspaceId: string,
): Promise<Workspace> {
  return findWorkspace(records, caller, workspaceId);
}

/** The fields of a tool that accepts a list of workspaces. */
export const namedFields = {
  workspaceId: idSchema.optional().describe('ID of a workspace from list_workspaces.'),
  workspaceIds: workspaceIdsSchema
    .optional()
    .describe('IDs of 1 to 20 workspaces to search in, instead of workspaceId. Without `paths`.'),
};

interface NamedWorkspaces {
  workspaceId?: string | undefined;
  workspaceIds?: string[] | undefined;
  paths?: unknown;
}

/** The rule for these fields, as the arguments of `refine`. */
export const NAMES_WORKSPACES = [
  ({ workspaceId, workspaceIds, paths }: NamedWorkspaces) =>
    workspaceIds === undefined ? workspaceId !== undefined : (workspaceId ?? paths) === undefined,
  { path: ['workspaceId'], message: 'must be given; or workspaceIds, without workspaceId and paths' },
] as [(named: NamedWorkspaces) => boolean, { path: string[]; message: string }];

/**
 * Finds the workspace that a call names, or all those of its list. Throws NotFound, and Forbidden for a
 * single workspace.
 */
export function findAllNamed(
  { records }: { records: Records },
  { caller }: Pick<McpContext, 'caller'>,
  { workspaceId = '', workspaceIds }: NamedWorkspaces,
): Promise<Workspace | Workspace[]> {
  if (workspaceIds !== undefined) return findWorkspaces(records, caller, workspaceIds);
  return findWorkspace(records, caller, workspaceId);
}

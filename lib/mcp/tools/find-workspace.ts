import type { Records } from '../../ports/records.ts';
import { findWorkspace } from '../../workspaces/access.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { McpContext } from './tool.ts';

/** Finds the workspace that a call names for its caller: tools never do so themselves. Throws NotFound, Forbidden. */
export function findNamed(
  { records }: { records: Records },
  { caller }: Pick<McpContext, 'caller'>,
  workspaceId: string,
): Promise<Workspace> {
  return findWorkspace(records, caller, workspaceId);
}

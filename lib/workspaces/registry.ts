import type { Caller } from '../http/caller.ts';
import type { PageQuery } from '../http/page.ts';
import type { Records } from '../ports/records.ts';
import { mayUse } from './access.ts';
import { type Workspace, workspaces } from './schema.ts';

/** The workspaces the caller may use, newest first. */
export async function listWorkspaces(
  records: Records,
  caller: Caller,
  { limit, cursor }: PageQuery,
): Promise<{ items: Workspace[]; cursor?: string }> {
  const page = await workspaces.list(records, { partition: 'WORKSPACE', order: 'descending', limit, cursor });
  return { ...page, items: page.items.filter(({ id }) => mayUse(caller, id)) };
}

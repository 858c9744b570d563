import { locate, mountEntries } from '../datasets/mounts.ts';
import type { Records } from '../ports/records.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { browse } from './read.ts';
import type { BrowseQuery, Entry } from './schema.ts';

/** A directory of a workspace, with the datasets that are linked to it. */
export async function browseMounted(
  records: Records,
  workspace: Pick<Workspace, 'id' | 'rootPath'>,
  query: Omit<BrowseQuery, 'workspaceId'>,
): Promise<{ items: Entry[]; cursor?: string }> {
  const [{ root, path, prefix }, mounted] = await Promise.all([
    locate(records, workspace, query.path),
    mountEntries(records, workspace.id, query.path),
  ]);
  const page = await browse(root, { ...query, path }, mounted);
  return { ...page, items: page.items.map((entry) => ({ ...entry, path: prefix + entry.path })) };
}

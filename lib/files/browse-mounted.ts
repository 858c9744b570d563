import { DATASETS_FOLDER, locate, mountPath, mountsBelow, namesOf } from '../datasets/links/mounts.ts';
import type { Records } from '../ports/records.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { browse } from './read.ts';
import type { BrowseQuery, Entry } from './schema.ts';

/** Lists a directory of a workspace, with its linked datasets. */
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

/** Lists entries of a path that aren't on the disk: the linked datasets, or the directory that contains them. */
async function mountEntries(records: Records, workspaceId: string, path: string): Promise<Entry[]> {
  const mounts = await mountsBelow(records, workspaceId, path);
  const [newest] = mounts
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .reverse();
  if (newest === undefined) return [];
  if (namesOf(path).length === 0) return [directory(DATASETS_FOLDER, DATASETS_FOLDER, newest)];
  return mounts.map(({ name, updatedAt }) => directory(name, mountPath(name), updatedAt));
}

function directory(name: string, path: string, modifiedAt: string): Entry {
  return { name, path, type: 'directory', size: 0, modifiedAt };
}

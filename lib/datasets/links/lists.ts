import type { Caller } from '../../access/caller.ts';
import { letIn, letsInAllOf } from '../../access/members.ts';
import { isInside } from '../../paths/confine.ts';
import type { Records } from '../../ports/records.ts';
import { findListedAt } from '../../workspaces/registry.ts';
import { type Workspace, workspaces } from '../../workspaces/schema.ts';
import { type Dataset, links, linksPartition } from '../schema.ts';

type Folder = Pick<Dataset, 'source' | 'localPath'>;

/**
 * Returns the member lists that apply to an imported folder. The folder is read in place, and a workspace in
 * it, or around it, may have got a member list since. Downloaded datasets aren't in a workspace.
 */
async function findLists(records: Records, { source, localPath }: Folder): Promise<Workspace[]> {
  return source === 'local' ? findListedAt(records, localPath) : [];
}

/** Returns whether the member lists admit the caller. */
export async function isOpenTo(records: Records, caller: Caller, folder: Folder): Promise<boolean> {
  return letIn(caller, await findLists(records, folder));
}

/**
 * Returns whether the lists admit everyone who may enter a workspace that links the dataset, because all of
 * them can read it there and find it in the index.
 */
export async function isOpenIn(records: Records, workspaceId: string, folder: Folder): Promise<boolean> {
  const others = (await findLists(records, folder)).filter(({ id }) => id !== workspaceId);
  if (others.length === 0) return true;
  const linking = (await workspaces.get(records, { id: workspaceId })) ?? { id: workspaceId };
  return others.every((place) => letsInAllOf(place, linking));
}

/** Returns whether a workspace's list applies to the folder. */
export function isAskedFor(
  { rootPath }: Pick<Workspace, 'rootPath'>,
  { source, localPath }: Folder,
): boolean {
  return source === 'local' && (isInside(rootPath, localPath) || isInside(localPath, rootPath));
}

/** Deletes a workspace's dataset links; keeps the datasets. */
export async function dropLinks(records: Records, workspaceId: string): Promise<void> {
  const own = links.all(records, { partition: linksPartition(workspaceId) });
  await links.deleteMany(records, await Array.fromAsync(own));
}

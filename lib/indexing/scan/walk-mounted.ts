import { locate, mountPath, mountsBelow } from '../../datasets/links/mounts.ts';
import { realRootOf } from '../../paths/confine.ts';
import type { Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { leaveOutPictures, presentBelow, type Walk, walk } from './walk.ts';

type Root = Pick<Workspace, 'id' | 'rootPath'>;

/** Walks a workspace and its linked datasets. */
export async function walkWorkspace(records: Records, { id, rootPath }: Root): Promise<Walk> {
  return withMounts(records, id, '', await walk(rootPath));
}

/** Returns the files that walkWorkspace would find below a path. */
export async function presentIn(records: Records, workspace: Root, path: string): Promise<Walk> {
  const { root, path: rest, prefix } = await locate(records, workspace, path);
  if (prefix !== '') return walkMount(root, prefix, rest);
  return withMounts(records, workspace.id, path, await presentBelow(await realRootOf(root), path));
}

async function withMounts(records: Records, workspaceId: string, path: string, own: Walk): Promise<Walk> {
  const found = { ...own, unreadable: [...own.unreadable] };
  for (const { name, root } of await mountsBelow(records, workspaceId, path)) {
    const prefix = `${mountPath(name)}/`;
    const mounted = await walkMount(root, prefix, '');
    found.files = [...outside(found.files, prefix), ...mounted.files];
    found.skipped = [...outside(found.skipped, prefix), ...mounted.skipped];
    found.unreadable.push(...mounted.unreadable);
  }
  return found;
}

/** Omits entries at or below a link's path, because the link hides them. */
function outside<File extends { path: string }>(files: File[], prefix: string): File[] {
  return files.filter(({ path }) => !`${path}/`.startsWith(prefix));
}

/**
 * If a dataset's directory is missing, its files must not count as removed. A dataset may have hundreds of
 * thousands of training images, so its images get no OCR.
 */
async function walkMount(root: string, prefix: string, path: string): Promise<Walk> {
  const real = await realRootOf(root).catch(() => undefined);
  if (real === undefined) return unreadableMount(prefix.slice(0, -1));
  const { files, skipped, unreadable } = leaveOutPictures(await presentBelow(real, path), () => false);
  return {
    files: files.map((file) => ({ ...file, path: prefix + file.path })),
    skipped: skipped.map((file) => ({ ...file, path: prefix + file.path })),
    unreadable: unreadable.map((each) => (prefix + each).replace(/\/$/, '')),
  };
}

function unreadableMount(path: string): Walk {
  return { files: [], skipped: [{ path, size: 0, reason: 'unreadable', folder: true }], unreadable: [path] };
}

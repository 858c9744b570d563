import { lstat, mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { recordActivity } from '../activity/record.ts';
import { Conflict, InvalidInput, inField } from '../errors.ts';
import { touchWorkspace } from '../indexing/enqueue.ts';
import { withDirectory, withParent } from '../paths/confine.ts';
import { fileError } from '../paths/file-errors.ts';
import { removeTree } from '../paths/remove-tree.ts';
import { sweepUnfinished } from '../paths/stale-temp-files.ts';
import { isTempName, tempName } from '../paths/temp-name.ts';
import { dropPermissions, type PermissionPorts, prepareRules } from '../permissions/store.ts';
import type { Queue } from '../ports/queue.ts';
import type { Repositories } from '../ports/repositories.ts';
import {
  createWorkspace,
  findRoot,
  forgetWorkspace,
  locateWorkspace,
  type WorkspacePorts,
} from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { DraftMessagePorts } from './draft-message.ts';
import { type CloneBody, clones } from './schema.ts';

interface ClonePorts extends Pick<WorkspacePorts, 'workspaceRoots'>, PermissionPorts {
  repositories: Pick<Repositories, 'clone'>;
  touchQueue: Queue;
}

export interface GitPorts extends ClonePorts, DraftMessagePorts {
  repositories: Repositories;
  /** Email address of the author of commits. */
  commitEmail: string;
}

/**
 * Creates a workspace with a clone. Clones into a separate folder and moves it into place in one step, so the
 * directory contains either the whole clone or nothing. A later clone removes what a killed one left behind.
 */
export async function cloneWorkspace(ports: ClonePorts, caller: Caller, body: CloneBody): Promise<Workspace> {
  const location = await locateWorkspace(ports, caller, body.rootPath).catch(inField('rootPath'));
  const { root = location } = (await findRoot(ports.workspaceRoots, location)) ?? {};
  if (root === location)
    throw new InvalidInput(
      'path_outside_roots',
      'rootPath must be below one of the folders of WORKSPACE_ROOTS.',
      {
        field: 'rootPath',
      },
    );
  await refuseFull(location);
  const workspace = await withDirectory(root, root, async (folder) => {
    await sweep(folder, ports.clock.now());
    const name = tempName();
    const aside = join(folder, name);
    await mkdir(aside, { mode: 0o777 }).catch(fileError);
    try {
      const url = await ports.repositories.clone(body.url, join(root, name));
      const prepare = prepareRules(ports, caller, body);
      const made = await putInPlace(ports, caller, aside, { root, location, prepare });
      await clones.put(ports.records, { workspaceId: made.id, url });
      return made;
    } finally {
      await removeTree(aside);
    }
  });
  await tellOfClone(ports, caller, workspace, body.url);
  return workspace;
}

/** A rename replaces an empty directory in one step, and fails if the directory isn't empty. */
async function putInPlace(
  ports: ClonePorts,
  caller: Caller,
  aside: string,
  { root, location, prepare }: { root: string; location: string; prepare: ReturnType<typeof prepareRules> },
): Promise<Workspace> {
  const { workspace, created } = await createWorkspace(ports, caller, { path: location, prepare }).catch(
    inField('rootPath'),
  );
  try {
    await withParent(root, location, (entry) => rename(aside, entry));
    return workspace;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process filled it, and this workspace uses it.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw notEmpty();
    if (created) await undo(ports, root, workspace);
    return fileError(error);
  }
}

async function undo({ records }: ClonePorts, root: string, workspace: Workspace): Promise<void> {
  await dropPermissions(records, workspace.id);
  await forgetWorkspace(records, workspace);
  // A directory that isn't empty belongs to someone else.
  await withParent(root, workspace.rootPath, rmdir).catch(() => {});
}

async function refuseFull(location: string): Promise<void> {
  const found = await lstat(location).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory())
    throw new InvalidInput('not_a_directory', "rootPath isn't a directory.", { field: 'rootPath' });
  if ((await readdir(location).catch(fileError)).length > 0) throw notEmpty();
}

function notEmpty(): Conflict {
  return new Conflict('directory_not_empty', "rootPath isn't an empty directory.", { field: 'rootPath' });
}

/** Removes leftovers of killed clones, once they are older than any clone takes. */
async function sweep(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder)).filter(isTempName))
    await sweepUnfinished(join(folder, name), now);
}

async function tellOfClone(ports: ClonePorts, caller: Caller, { id }: Workspace, url: string): Promise<void> {
  await Promise.all([
    touchWorkspace(ports, id),
    recordActivity(ports, {
      workspaceId: id,
      kind: 'git_cloned',
      actor: caller.id,
      summary: `Cloned ${url}`,
      details: { url },
    }),
  ]);
}

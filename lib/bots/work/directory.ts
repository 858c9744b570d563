import { realpath, stat } from 'node:fs/promises';
import type { Caller } from '../../access/caller.ts';
import { InvalidInput, NotFound } from '../../errors.ts';
import { invalidPath } from '../../paths/file-errors.ts';
import { timestamp } from '../../ports/clock.ts';
import { findWorkspace } from '../../workspaces/access.ts';
import {
  createWorkspace,
  findWorkspaceAround,
  requireInRoots,
  type WorkspacePorts,
} from '../../workspaces/registry.ts';
import { rootWorkspaceId, type Workspace, workspaces } from '../../workspaces/schema.ts';
import type { Chat } from '../schema.ts';

/** Linux's own limit in bytes. A message can have any length, and each segment of a path costs a lookup. */
const MAX_PATH = 4096;

type DirectoryPorts = Pick<WorkspacePorts, 'records' | 'clock' | 'workspaceRoots'>;

/**
 * Returns the real path of a directory that a person names, absolute or below the first root. Throws InvalidInput
 * unless it exists inside WORKSPACE_ROOTS.
 */
export async function locateDirectory(workspaceRoots: string[], path: string): Promise<string> {
  if (path.length > MAX_PATH) throw invalidPath(`path can have at most ${MAX_PATH} characters.`);
  if (path.includes('\0')) throw invalidPath("path can't contain a NUL character.");
  const { location } = await requireInRoots(workspaceRoots, path, 'path');
  const there = await stat(location).catch(() => undefined);
  if (!there?.isDirectory())
    throw new InvalidInput('not_a_directory', "path isn't an existing directory.", { field: 'path' });
  return location;
}

/**
 * Returns the workspace at a real path: the one that contains it, otherwise a new one. Throws Conflict if a
 * new one would contain other workspaces, NotFound if the directory disappears in the meantime.
 */
export async function workspaceAt(
  ports: DirectoryPorts,
  caller: Caller,
  location: string,
): Promise<Workspace> {
  await locateDirectory(ports.workspaceRoots, location).catch(directoryGone);
  const around = await findWorkspaceAround(ports.records, location);
  if (around !== undefined) return around;
  if (await isRoot(ports.workspaceRoots, location)) return workspaceOfRoot(ports, location);
  return (await createWorkspace(ports, caller, { path: location })).workspace;
}

/** Returns the workspace that a chat works in, for the sender. Throws like workspaceAt and findWorkspace. */
export async function findWorkspaceOfChat(
  ports: DirectoryPorts,
  caller: Caller,
  { workspacePath }: Pick<Chat, 'workspacePath'>,
): Promise<Workspace> {
  const { id } = await workspaceAt(ports, caller, workspacePath);
  return findWorkspace(ports.records, caller, id);
}

function directoryGone(error: unknown): never {
  if (error instanceof InvalidInput)
    throw new NotFound(
      'path_not_found',
      'The directory of this chat no longer exists. Choose another one with /workspace.',
    );
  throw error;
}

async function isRoot(workspaceRoots: string[], location: string): Promise<boolean> {
  const roots = await Promise.all(workspaceRoots.map((root) => realpath(root).catch(() => root)));
  return roots.includes(location);
}

/**
 * Creates the workspace without reserving the directory for it. Every new chat starts at a root, and a
 * workspace that reserved the root would allow no other inside. For the root, createWorkspace returns this
 * same record.
 */
async function workspaceOfRoot(
  { records, clock, workspaceRoots }: DirectoryPorts,
  rootPath: string,
): Promise<Workspace> {
  const id = rootWorkspaceId(rootPath);
  const name = workspaceRoots.length > 1 ? `All workspaces of ${rootPath}` : 'All workspaces';
  const workspace = { id, name, rootPath, createdAt: timestamp(clock) };
  if (await workspaces.create(records, workspace)) return workspace;
  const known = (await workspaces.get(records, { id })) ?? workspace;
  // Another root may have been added since the workspace got its name.
  return known.name === name ? known : workspaces.update(records, { id }, { set: { name } });
}

import { constants } from 'node:fs';
import { access, opendir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Caller, requireUnscoped } from '../access/caller.ts';
import { mayEnter } from '../access/members.ts';
import { compareNames } from '../api-contract/compare-names.ts';
import { NotFound, ServiceError } from '../errors.ts';
import { isInside, splitNewPath, withDirectory } from '../paths/confine.ts';
import { fileError } from '../paths/file-errors.ts';
import { placeByOwn } from '../paths/own-folders.ts';
import type { Records } from '../ports/records.ts';
import type { Folder, Folders } from './folder-schema.ts';
import {
  claimsIn,
  findWorkspaceAround,
  fromFirstRoot,
  locateInRoots,
  outsideRoots,
  realRoots,
  requireUsable,
} from './registry.ts';
import { rootWorkspaceId, type Workspace, workspaces } from './schema.ts';

interface FolderPorts {
  records: Records;
  workspaceRoots: string[];
}

/** Maximum entries to read of a folder, files included. */
const MAX_ENTRIES = 50_000;
const MAX_FOLDERS = 500;

/**
 * Lists folders that the caller can choose for a workspace: the roots, or the folders in a folder inside
 * them. Contains no files, hidden folders, links, or folders of the service. A workspace that the caller may
 * not enter counts as missing. Throws Forbidden, InvalidInput outside the roots, NotFound, and the errors of
 * fileError.
 */
export async function listFolders(ports: FolderPorts, caller: Caller, path: string): Promise<Folders> {
  requireUnscoped(caller);
  if (path === '') return listRoots(ports, caller);
  requireUsable(path);
  const found = await locateInRoots(ports.workspaceRoots, fromFirstRoot(ports.workspaceRoots, path, 'path'));
  if (found === undefined || (await placeByOwn(found.location)) === 'inside') throw outsideRoots('path');
  const { location, root } = found;
  const around = await findWorkspaceAround(ports.records, location);
  if (around !== undefined && !mayEnter(caller, around)) throw missing();
  const taken = await takenIn(ports, location);
  const parent = location === root ? null : dirname(location);
  const folder = await describe(caller, taken, location);
  if (folder === undefined) throw missing();
  const { names, isComplete } = await withDirectory(root, location, (directory) =>
    namesIn(directory, location),
  );
  if (around !== undefined) return { ...insideOf(around, folder), parent };
  const places = names.map((name) => join(location, name));
  return { folder, parent, folders: await describeAll(caller, taken, places), isComplete };
}

/** A list in which nothing can be chosen, because the folders belong to a workspace. */
function insideOf({ id, rootPath }: Workspace, folder: Folder) {
  const state = rootPath === folder.path ? ('workspace' as const) : ('inside' as const);
  return { folder: { ...folder, state, workspaceId: id }, folders: [], isComplete: true };
}

/** The same error as for a missing folder, so that a workspace there stays secret. */
function missing(): NotFound {
  return new NotFound('path_not_found', 'path does not exist.', { field: 'path' });
}

/** Returns the roots, except missing ones and those that the caller can't use. */
async function listRoots(ports: FolderPorts, caller: Caller): Promise<Folders> {
  const roots = [...new Set(await realRoots(ports.workspaceRoots))];
  const described = await Promise.all(
    roots.map(async (root) => ((await isFolder(root)) ? describeRoot(ports, caller, root) : undefined)),
  );
  const folders = described.filter((folder) => folder !== undefined);
  return { folder: null, parent: null, folders, isComplete: true };
}

async function describeRoot(ports: FolderPorts, caller: Caller, root: string): Promise<Folder | undefined> {
  const around = await findWorkspaceAround(ports.records, root);
  if (around !== undefined && !mayEnter(caller, around)) return undefined;
  const folder = await describe(caller, await takenIn(ports, root), root);
  if (folder === undefined) return undefined;
  const named = { ...folder, name: root };
  return around === undefined ? named : insideOf(around, named).folder;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/**
 * The workspaces of a folder: those at the folder or directly in it, and which of these contain further
 * workspaces.
 */
interface Taken {
  /** Undefined for a workspace that is being created or deleted. */
  at: Map<string, Workspace | undefined>;
  above: Set<string>;
}

async function takenIn({ records, workspaceRoots }: FolderPorts, location: string): Promise<Taken> {
  const ids = new Map<string, string>();
  const above = new Set<string>();
  for await (const { rootPath, workspaceId } of claimsIn(records, location)) {
    const child = childAround(location, rootPath);
    if (rootPath === child) ids.set(child, workspaceId);
    else above.add(child);
    if (rootPath !== location) above.add(location);
  }
  const wholes = await wholeRoots(
    records,
    (await realRoots(workspaceRoots)).filter((root) => isInside(location, root)),
  );
  const known = await workspaces.getMany(
    records,
    [...ids.values()].map((id) => ({ id })),
  );
  const byId = new Map(known.map((workspace) => [workspace.id, workspace]));
  const claimed = [...ids].map(([path, id]) => [path, byId.get(id)] as const);
  return {
    at: new Map([...claimed, ...wholes.map((workspace) => [workspace.rootPath, workspace] as const)]),
    above,
  };
}

/** Returns the workspaces of whole roots (lib/bots/work/directory.ts), which don't claim their directory. */
function wholeRoots(records: Records, roots: string[]): Promise<Workspace[]> {
  return workspaces.getMany(
    records,
    roots.map((root) => ({ id: rootWorkspaceId(root) })),
  );
}

/**
 * Returns the entry of a folder that is, or contains, a path below it. For the folder itself, returns the
 * folder.
 */
function childAround(folder: string, path: string): string {
  if (path === folder) return folder;
  const [name = ''] = path.slice(folder === '/' ? 1 : folder.length + 1).split('/', 1);
  return join(folder, name);
}

async function describeAll(caller: Caller, taken: Taken, places: string[]): Promise<Folder[]> {
  const found = await Promise.all(places.map((place) => describe(caller, taken, place)));
  return found.filter((folder) => folder !== undefined);
}

/** Returns undefined for a folder of the service, and for a workspace that the caller may not enter. */
async function describe(caller: Caller, { at, above }: Taken, path: string): Promise<Folder | undefined> {
  const own = await placeByOwn(path);
  if (own === 'inside') return undefined;
  const folder = { name: basename(path), path };
  if (!at.has(path)) return { ...folder, state: own === 'around' || above.has(path) ? 'around' : 'free' };
  const workspace = at.get(path);
  if (workspace === undefined || !mayEnter(caller, workspace)) return undefined;
  return { ...folder, state: 'workspace', workspaceId: workspace.id };
}

/**
 * Reads an open directory by its actual location, because a link may have replaced a parent since the
 * location was checked.
 */
async function namesIn(
  directory: string,
  location: string,
): Promise<{ names: string[]; isComplete: boolean }> {
  if ((await realpath(directory).catch(fileError)) !== location) throw missing();
  const names: string[] = [];
  let entries = 0;
  for await (const entry of await opendir(directory, { bufferSize: 1024 }).catch(fileError)) {
    if (entries++ === MAX_ENTRIES) break;
    if (entry.isDirectory() && isOffered(entry.name)) names.push(entry.name);
  }
  const first = names.sort(compareNames).slice(0, MAX_FOLDERS);
  const open = await Promise.all(first.map((name) => isReadable(join(directory, name))));
  return {
    names: first.filter((_name, place) => open[place]),
    isComplete: entries <= MAX_ENTRIES && names.length <= MAX_FOLDERS,
  };
}

/**
 * Hidden folders are omitted: they are rarely wanted, and their path can still be typed. Others are omitted
 * if no workspace can have the name.
 */
function isOffered(name: string): boolean {
  if (name.startsWith('.')) return false;
  try {
    return splitNewPath(name).length === 1;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

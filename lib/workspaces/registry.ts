import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Caller, isAdminOfAll, requireUnscoped } from '../access/caller.ts';
import { callerIn, mayEnter } from '../access/members.ts';
import { isPathHere, NO_PATH_HERE } from '../api-contract/pasted.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { isInside, MAX_DEPTH, splitNewPath, withDirectory } from '../paths/confine.ts';
import { fileError } from '../paths/file-errors.ts';
import { isOwnPlace } from '../paths/own-folders.ts';
import { type Clock, timestamp } from '../ports/clock.ts';
import { ExpectationFailed, ifExpected, type Records } from '../ports/records.ts';
import { type PageQuery, pageUpTo } from '../records/page.ts';
import type { DropOfWorkspace } from './callbacks.ts';
import {
  claimPrefix,
  type ExampleLanguage,
  newClaim,
  ROOTS,
  type RootClaim,
  rootClaims,
  rootWorkspaceId,
  type Workspace,
  workspaces,
} from './schema.ts';

/** The error codes of a new workspace, in addition to PATH_ERRORS. */
export const CREATE_WORKSPACE_ERRORS = [
  'path_outside_roots',
  'workspace_access_denied',
  'workspace_overlap',
  'workspace_scoped_token',
] as const satisfies ErrorCode[];

export interface WorkspacePorts {
  records: Records;
  clock: Clock;
  /** One function per area that stores records of a workspace. It deletes them with the workspace. */
  drops: DropOfWorkspace[];
  /** Requests the removal of the workspace's index. */
  dropIndex(workspaceId: string): Promise<void>;
  workspaceRoots: string[];
}

interface NewWorkspace {
  path: string;
  name?: string | undefined;
  /** Set for the example workspace, to its language. */
  example?: ExampleLanguage | undefined;
  /** Whether a missing directory is created; true by default. */
  create?: boolean | undefined;
  /**
   * Stores the initial records of the workspace right before it exists, so that it never exists without them.
   * Idempotent.
   */
  prepare?: ((workspaceId: string) => Promise<void>) | undefined;
}

/**
 * Returns the workspace of a directory, and creates it if there is none. Throws InvalidInput outside WORKSPACE_ROOTS,
 * Conflict inside or around another workspace, Forbidden for a workspace-scoped caller, NotFound for a directory that
 * it may not create.
 */
export async function createWorkspace(
  ports: Pick<WorkspacePorts, 'records' | 'clock' | 'workspaceRoots'>,
  caller: Caller,
  { path, name, example, create = true, prepare }: NewWorkspace,
): Promise<{ workspace: Workspace; created: boolean }> {
  requireUnscoped(caller);
  const rootPath = await locateRoot(ports.workspaceRoots, path);
  const ofRoot = await workspaces.get(ports.records, { id: rootWorkspaceId(rootPath) });
  if (ofRoot !== undefined) return known(caller, ofRoot);
  if (!create) await stat(rootPath).catch(fileError);
  const workspace = {
    id: newId(),
    name: name ?? basename(rootPath),
    rootPath,
    createdAt: timestamp(ports.clock),
    ...(example && { example }),
  };
  const made = await claimRoot(ports, workspace, prepare);
  return made.created ? made : known(caller, made.workspace);
}

/** Returns an existing workspace, for callers with access. Throws Forbidden. */
function known(caller: Caller, workspace: Workspace): { workspace: Workspace; created: boolean } {
  callerIn(caller, workspace);
  return { workspace, created: false };
}

/**
 * Returns the location at which a directory would become a workspace. Throws the errors of createWorkspace if
 * it now overlaps another workspace. The directory's own workspace may exist.
 */
export async function locateWorkspace(
  { records, workspaceRoots }: Pick<WorkspacePorts, 'records' | 'workspaceRoots'>,
  caller: Caller,
  path: string,
): Promise<string> {
  requireUnscoped(caller);
  const location = await locateRoot(workspaceRoots, path);
  if (await overlapsAnother(records, location)) throw overlap();
  return location;
}

function overlap(): Conflict {
  return new Conflict(
    'workspace_overlap',
    "path overlaps another workspace. Choose a folder that isn't inside, or a parent of, an existing workspace.",
    { field: 'path' },
  );
}

type RootPorts = Pick<WorkspacePorts, 'records' | 'workspaceRoots'>;

/**
 * Claims the directory first, then checks its surroundings, then settles the claim. Of two overlapping claims
 * made at the same moment, at least one sees the other, and only an unsettled claim is ever withdrawn. A
 * caller that finds an unfinished claim of the same directory (after a crash, or during another call)
 * continues with the same workspace. Each step is a single conditional write.
 */
async function claimRoot(
  ports: RootPorts,
  workspace: Workspace,
  prepare?: NewWorkspace['prepare'],
): Promise<{ workspace: Workspace; created: boolean }> {
  const { records, workspaceRoots } = ports;
  const id = { rootPath: workspace.rootPath };
  await rootClaims.create(records, newClaim(workspace));
  const claim = await rootClaims.get(records, id);
  if (claim === undefined) return claimRoot(ports, workspace, prepare);
  const there = await workspaces.get(records, claim.workspace);
  if (there !== undefined) {
    await makeRoot(workspaceRoots, claim.rootPath);
    return { workspace: there, created: false };
  }
  const mine = { workspaceId: claim.workspaceId };
  await prepareRoot(ports, claim);
  // Uses `put`, which also removes the expiry, and fails if the claim was withdrawn or its workspace deleted
  // in the meantime.
  if (!(await rootClaims.put(records, { ...claim, state: 'settled' }, mine)))
    return claimRoot(ports, workspace, prepare);
  await prepare?.(claim.workspaceId);
  const created = await workspaces.create(records, claim.workspace);
  if ((await rootClaims.get(records, id))?.workspaceId === claim.workspaceId) {
    return { workspace: claim.workspace, created };
  }
  await workspaces.delete(records, claim.workspace); // deleted between two steps of this call
  return claimRoot(ports, workspace, prepare);
}

/** Creates the directory only once the place is known to be free. Any refusal withdraws the claim. */
async function prepareRoot({ records, workspaceRoots }: RootPorts, claim: RootClaim): Promise<void> {
  try {
    if (claim.state === 'looking' && (await overlapsAnother(records, claim.rootPath))) throw overlap();
    await makeRoot(workspaceRoots, claim.rootPath);
  } catch (error) {
    await takeBack(records, claim);
    throw error;
  }
}

async function takeBack(records: Records, { rootPath, workspaceId }: RootClaim): Promise<void> {
  await rootClaims
    .delete(records, { rootPath }, { workspaceId, state: 'looking' })
    .catch((error: unknown) => {
      // Settled or removed by another caller, so no longer ours.
      if (!(error instanceof ExpectationFailed)) throw error;
    });
}

async function overlapsAnother(records: Records, rootPath: string): Promise<boolean> {
  const above = await rootClaims.getMany(
    records,
    ancestorsOf(rootPath).map((path) => ({ rootPath: path })),
  );
  if (above.length > 0) return true;
  for await (const claim of claimsIn(records, rootPath)) if (claim.rootPath !== rootPath) return true;
  return false;
}

/** Yields the claims of a directory and of everything below it. */
export async function* claimsIn(records: Records, rootPath: string): AsyncGenerator<RootClaim> {
  const query = { partition: ROOTS, sortPrefix: claimPrefix(rootPath) };
  for await (const claim of rootClaims.all(records, query))
    if (isInside(rootPath, claim.rootPath)) yield claim;
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}

/** Returns the real location of the directory, which need not exist yet. */
async function locateRoot(workspaceRoots: string[], path: string): Promise<string> {
  if (path === '') throw new InvalidInput('invalid_value', "path can't be empty.", { field: 'path' });
  requireUsable(path);
  return (await requireInRoots(workspaceRoots, path, 'path')).location;
}

/**
 * Throws InvalidInput for a path that no workspace can have. The path may contain `..`, so its target is
 * checked.
 */
export function requireUsable(path: string): void {
  splitNewPath(resolve('/', path).slice(1));
}

/** Finds the root of a path that a person names, absolute or below the first root. Throws InvalidInput outside all roots. */
export async function requireInRoots(workspaceRoots: string[], path: string, field: string) {
  const found = await findRoot(workspaceRoots, fromFirstRoot(workspaceRoots, path, field));
  if (found === undefined) throw outsideRoots(field);
  return found;
}

/**
 * Returns the absolute path that a person means. A path that starts with `~` counts as absolute too, so no
 * root is put before it.
 */
export function fromFirstRoot(workspaceRoots: string[], path: string, field: string): string {
  if (!isPathHere(path)) throw new InvalidInput('invalid_path', `${field} ${NO_PATH_HERE}.`, { field });
  return resolve(workspaceRoots[0] ?? '/', path);
}

export function outsideRoots(field: string): InvalidInput {
  const message = `${field} must be inside one of the allowed folders. An administrator can allow others, in the settings or with WORKSPACE_ROOTS.`;
  return new InvalidInput('path_outside_roots', message, { field });
}

/** The maximum depth of a workspace, and of the paths in it. Each missing level costs system calls. */
const DEEPEST = 2 * MAX_DEPTH;

interface InRoot {
  location: string;
  root: string;
}

/**
 * Returns the real location of an absolute path, existing or not, and the root that contains it. Undefined
 * outside all roots, and for the service's own folders and those around them, regardless of the roots.
 */
export async function findRoot(workspaceRoots: string[], path: string): Promise<InRoot | undefined> {
  const found = await locateInRoots(workspaceRoots, path);
  return found === undefined || (await isOwnPlace(found.location)) ? undefined : found;
}

/** Returns the same as findRoot, but also for the service's own folders and those around them. */
export async function locateInRoots(workspaceRoots: string[], path: string): Promise<InRoot | undefined> {
  if (path.split('/').length > DEEPEST) return undefined;
  const roots = await realRoots(workspaceRoots);
  const ancestor = await deepestExisting(path);
  const location = join(ancestor.real, path.slice(ancestor.path.length));
  const root = roots.find((candidate) => isInside(candidate, location));
  return root === undefined ? undefined : { location, root };
}

export function realRoots(workspaceRoots: string[]): Promise<string[]> {
  return Promise.all(workspaceRoots.map((root) => realpath(root).catch(() => root)));
}

/** Returns the workspace that contains a real location. */
export async function findWorkspaceAround(
  records: Records,
  location: string,
): Promise<Workspace | undefined> {
  const places = [location, ...ancestorsOf(location)].map((rootPath) => ({ rootPath }));
  const [claim] = await rootClaims.getMany(records, places);
  return claim === undefined ? undefined : workspaces.get(records, claim.workspace);
}

/** Returns the workspaces with members (ACL) that contain a real location, or are inside it. */
export async function findListedAt(records: Records, location: string): Promise<Workspace[]> {
  const below = await Array.fromAsync(claimsIn(records, location), ({ workspace }) => workspace);
  const around = await findWorkspaceAround(records, location);
  const found = await workspaces.getMany(records, below);
  const all = new Map([...found, ...(around ? [around] : [])].map((workspace) => [workspace.id, workspace]));
  return [...all.values()].filter(({ members = [] }) => members.length > 0);
}

/** Creates the directory if it is missing, and checks it again afterwards: a link may have replaced it. */
async function makeRoot(workspaceRoots: string[], rootPath: string): Promise<void> {
  const root = (await realRoots(workspaceRoots)).find((candidate) => isInside(candidate, rootPath));
  if (root === undefined) throw outsideRoots('path');
  await mkdir(root, { recursive: true }).catch(notMakeable);
  await withDirectory(root, rootPath, async () => {}, { make: true }).catch(notMakeable);
  const real = await realpath(rootPath).catch(notMakeable);
  if (real !== rootPath || !(await stat(real).catch(fileError)).isDirectory())
    throw new InvalidInput('not_a_directory', "path isn't a directory.", { field: 'path' });
}

/** A file or a dangling link is at the path of the directory. */
function notMakeable(error: NodeJS.ErrnoException): never {
  if (error instanceof NotFound || ['EEXIST', 'ENOTDIR', 'ENOENT'].includes(error.code ?? '')) {
    throw new InvalidInput('not_a_directory', "path isn't a directory.", { field: 'path' });
  }
  return fileError(error);
}

async function deepestExisting(path: string): Promise<{ path: string; real: string }> {
  try {
    return { path, real: await realpath(path) };
  } catch (error) {
    // The nearest location that can be resolved decides, whatever the reason, so that no caller learns what
    // is outside the roots.
    if (path === '/') fileError(error);
    return deepestExisting(dirname(path));
  }
}

const READ_AT_ONCE = 1000;

/**
 * Lists the workspaces that the caller can access, newest first. A workspace-scoped caller gets all of
 * theirs, at most a hundred, on one page.
 */
export async function listWorkspaces(
  records: Records,
  caller: Caller,
  { limit, cursor }: PageQuery,
): Promise<{ items: Workspace[]; cursor?: string }> {
  if (caller.workspaceIds === null)
    return pageUpTo((to) => enterable(records, caller, limit, to), { limit, cursor });
  const own = await workspaces.getMany(
    records,
    caller.workspaceIds.map((id) => ({ id })),
  );
  const entered = own.filter((workspace) => mayEnter(caller, workspace));
  return { items: entered.sort((a, b) => (a.id < b.id ? 1 : -1)) };
}

async function* enterable(
  records: Records,
  caller: Caller,
  limit: number,
  to: string | undefined,
): AsyncGenerator<Workspace> {
  const readAtOnce = isAdminOfAll(caller) ? limit + 2 : READ_AT_ONCE;
  const query = { partition: 'WORKSPACE', order: 'descending' as const, limit: readAtOnce, to };
  for await (const workspace of workspaces.all(records, query))
    if (mayEnter(caller, workspace)) yield workspace;
}

/**
 * Changes only the name. The folder stays unchanged, and so do all records that name the workspace. Throws
 * NotFound if it was deleted.
 */
export async function renameWorkspace(records: Records, id: string, name: string): Promise<Workspace> {
  const renamed = await ifExpected(workspaces.update(records, { id }, { set: { name } }, { id }));
  if (renamed === undefined) throw new NotFound('workspace_not_found', 'This workspace does not exist.');
  return renamed;
}

/**
 * Removes the record, its claim, its index, and the records of all areas, but not the files. The workspace record is
 * removed last, so that an interrupted call can be repeated.
 */
export async function deleteWorkspace(ports: WorkspacePorts, workspace: Workspace): Promise<void> {
  const { records } = ports;
  await ports.dropIndex(workspace.id);
  for (const drop of ports.drops) await drop(records, workspace.id);
  await forgetWorkspace(records, workspace);
  await ports.dropIndex(workspace.id); // again, because a sync may have committed in between
}

/** Removes only the record and its claim, for a workspace that was just created and has no contents yet. */
export async function forgetWorkspace(records: Records, workspace: Workspace): Promise<void> {
  await dropClaim(records, workspace);
  await workspaces.delete(records, workspace);
}

/**
 * Removes only the workspace's own claim, because after an interrupted deletion the directory may belong to another
 * one.
 */
async function dropClaim(records: Records, { id, rootPath }: Workspace): Promise<void> {
  await rootClaims.delete(records, { rootPath }, { workspaceId: id }).catch((error: unknown) => {
    if (!(error instanceof ExpectationFailed)) throw error;
  });
}

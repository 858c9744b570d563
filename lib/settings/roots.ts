import { realpath, stat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import type { Config } from '../config.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../errors.ts';
import { isInside } from '../paths/confine.ts';
import { fileError } from '../paths/file-errors.ts';
import { isOwnPlace } from '../paths/own-folders.ts';
import { withPathLock } from '../paths/path-lock.ts';
import type { Records } from '../ports/records.ts';
import { claimsIn, realRoots, requireUsable } from '../workspaces/registry.ts';
import { rootWorkspaceId, workspaces } from '../workspaces/schema.ts';
import type { WorkspaceRoots } from './root-schema.ts';
import { storePlain } from './settings.ts';
import { currentRoots, readStored } from './with-settings.ts';

export interface RootPorts {
  /** The configuration from the environment. */
  config: Config;
  records: Records;
  /** Returns how a command could use this API itself; undefined if it can't. */
  selfApproval(): Promise<string | undefined>;
}

/** The error codes of a change of the roots. */
export const CHANGE_ROOT_ERRORS = [
  'roots_locked',
  'roots_set_in_environment',
  'workspace_scoped_token',
] as const satisfies ErrorCode[];

const MAX_ROOTS = 50;

/**
 * Folders of the system, on Linux and macOS. A root can't be one of them, be inside one, or contain one. The
 * operator can still name such a folder in WORKSPACE_ROOTS.
 */
const SYSTEM_FOLDERS = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib64', '/proc', '/run', '/sbin', '/sys', '/usr'],
  ...['/Library', '/System', '/private/etc'],
];

/** Lists the roots. Throws Forbidden for anyone but global administrators. */
export async function listWorkspaceRoots(
  { config, records }: RootPorts,
  caller: Caller,
): Promise<WorkspaceRoots> {
  requireAdminOfAll(caller);
  const [stored, current] = await Promise.all([storedRoots(records), currentRoots(records, config)]);
  const canAdd = config.aws === undefined;
  return {
    items: [
      ...config.workspaceRoots.map((path) => ({ path, source: sourceOf(config, path), inForce: true })),
      ...(canAdd ? stored : []).map((path) => ({
        path,
        source: 'settings' as const,
        inForce: current.includes(path),
      })),
    ],
    canAdd,
  };
}

function sourceOf({ namedRoots }: Config, path: string): 'command' | 'environment' {
  return namedRoots.includes(path) ? 'command' : 'environment';
}

async function storedRoots(records: Records): Promise<string[]> {
  return (await readStored(records)).workspaceRoots ?? [];
}

/**
 * Adds a folder by its real location, which applies to the next request. Throws Conflict on AWS, InvalidInput for a
 * refused folder, NotFound for a missing one, and Forbidden for anyone but global administrators, and where a command
 * could be the caller.
 */
export async function addWorkspaceRoot(
  ports: RootPorts,
  caller: Caller,
  path: string,
): Promise<WorkspaceRoots> {
  await requireChangeable(ports, caller);
  const { config, records } = ports;
  if (!path.startsWith('/')) throw refused('must be an absolute path');
  requireUsable(path);
  const location = await realpath(path).catch(fileError);
  await withPathLock(LOCK, async () => {
    await requireAllowed(location);
    const [stored, current] = await Promise.all([storedRoots(records), currentRoots(records, config)]);
    if ((await realRoots(current)).some((root) => isInside(root, location)))
      throw refused('is already inside an allowed folder');
    if (stored.length >= MAX_ROOTS) throw refused(`exceeds the limit of ${MAX_ROOTS} folders`);
    await storePlain(records, { workspaceRoots: [...stored.filter((root) => root !== location), location] });
  });
  return listWorkspaceRoots(ports, caller);
}

/** Serializes the changes of the list, which is one field. */
const LOCK = 'workspace roots in the settings';

/**
 * Removes a root from the settings; its files stay. Throws NotFound for an unknown root, and Conflict for a
 * root that isn't in the settings, or that has a workspace that no other root contains.
 */
export async function removeWorkspaceRoot(
  ports: RootPorts,
  caller: Caller,
  path: string,
): Promise<WorkspaceRoots> {
  await requireChangeable(ports, caller);
  const { config, records } = ports;
  if (config.workspaceRoots.includes(path)) throw setInEnvironment();
  await withPathLock(LOCK, async () => {
    const stored = await storedRoots(records);
    const kept = stored.filter((root) => root !== path);
    if (kept.length === stored.length)
      throw new NotFound('root_not_found', 'The settings have no such folder.', { field: 'path' });
    await requireEmpty(records, path, await realRoots([...config.workspaceRoots, ...kept]));
    await storePlain(records, { workspaceRoots: kept });
  });
  return listWorkspaceRoots(ports, caller);
}

async function requireChangeable({ config, selfApproval }: RootPorts, caller: Caller): Promise<void> {
  requireAdminOfAll(caller);
  if (config.aws !== undefined) throw setInEnvironment();
  if ((await selfApproval()) !== undefined)
    throw new Forbidden(
      'roots_locked',
      'Commands of the agent could call this API too. Set WORKSPACE_ROOTS, and restart the service.',
    );
}

function setInEnvironment(): Conflict {
  return new Conflict(
    'roots_set_in_environment',
    'WORKSPACE_ROOTS, or the command that starts the service, sets this folder. Change it there.',
  );
}

function refused(why: string): InvalidInput {
  return new InvalidInput('root_refused', `path ${why}. Choose another folder.`, { field: 'path' });
}

/**
 * Refuses places that belong to the system, to the service, or to its user's account. An administrator of the
 * API need not be the operator of the host, whose keys and settings are in hidden folders of the home.
 */
async function requireAllowed(location: string): Promise<void> {
  if (!(await stat(location).catch(fileError)).isDirectory())
    throw new InvalidInput('not_a_directory', "path isn't a directory.", { field: 'path' });
  if (SYSTEM_FOLDERS.some((folder) => isInside(folder, location) || isInside(location, folder)))
    throw refused('is, contains, or is in a folder of the system');
  if (await isOwnPlace(location)) throw refused("is, contains, or is in a folder of the service's own");
  if ((await realRoots(accountHomes())).some((home) => isInside(location, home)))
    throw refused("is, or contains, the home folder of the service's user");
  if (location.split('/').some((name) => name.startsWith('.'))) throw refused('is in a hidden folder');
}

/** Returns the home that HOME names, and the account's own, which may be missing in a container. */
function accountHomes(): string[] {
  try {
    return [homedir(), userInfo().homedir];
  } catch {
    return [homedir()];
  }
}

async function requireEmpty(records: Records, root: string, others: string[]): Promise<void> {
  const isKept = (location: string) => others.some((other) => isInside(other, location));
  const whole = await workspaces.get(records, { id: rootWorkspaceId(root) });
  if (whole !== undefined) throw inUse(whole.rootPath);
  for await (const { rootPath } of claimsIn(records, root)) if (!isKept(rootPath)) throw inUse(rootPath);
}

function inUse(workspace: string): Conflict {
  return new Conflict('root_in_use', `The workspace ${workspace} is in this folder. Delete it first.`, {
    field: 'path',
  });
}

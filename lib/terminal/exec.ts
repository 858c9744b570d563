import { stat } from 'node:fs/promises';
import type { Caller } from '../access/caller.ts';
import { callerIn } from '../access/members.ts';
import { recordActivity } from '../activity/record.ts';
import { commandMounts } from '../datasets/links/mounts.ts';
import { Forbidden, InvalidInput, NotFound } from '../errors.ts';
import { type TouchPorts, touchChanged } from '../indexing/enqueue.ts';
import { leadsToOwnPlace } from '../paths/own-folders.ts';
import { commandHosts } from '../permissions/store.ts';
import type { Commands } from '../ports/commands.ts';
import type { Records } from '../ports/records.ts';
import type { Use } from '../usage/schema.ts';
import { requireOpenWithin } from '../workspaces/access.ts';
import { findWorkspaceAround, requireInRoots } from '../workspaces/registry.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { ExecResult } from './schema.ts';

const TIME_LIMIT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Programs whose first argument is a subcommand. */
const WITH_VERBS = new Set([
  'apt',
  'cargo',
  'conda',
  'docker',
  'git',
  'go',
  'kubectl',
  'make',
  'npm',
  'pip',
  'uv',
]);

export interface TerminalPorts extends TouchPorts {
  commandsFor(use: Use): Commands;
  workspaceRoots: string[];
}

/**
 * Runs a command for a caller with access. The command can read and change the workspace around `cwd`, or the whole
 * root if there is none. Throws InvalidInput outside WORKSPACE_ROOTS, Forbidden outside the workspaces of a
 * workspace-scoped credential.
 */
export async function execute(
  ports: TerminalPorts,
  caller: Caller,
  { command, cwd }: { command: string; cwd: string },
): Promise<ExecResult> {
  const { location, root } = await requireInRoots(ports.workspaceRoots, cwd, 'cwd');
  const workspace = await findWorkspaceAround(ports.records, location);
  await requireAccess(ports.records, caller, workspace ?? root);
  await requireFolder(location);
  const limits = { timeoutMs: TIME_LIMIT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const place = workspace?.rootPath ?? root;
  const mounts = workspace === undefined ? [] : await commandMounts(ports.records, workspace);
  const hosts = workspace === undefined ? [] : await commandHosts(ports.records, workspace.id);
  if (await leadsToOwnPlace(place))
    throw new Forbidden('workspace_unsafe', "cwd overlaps the service's own folders.", { field: 'cwd' });
  const use: Use = { callerId: caller.id, workspaceId: workspace?.id ?? null, kind: 'terminal' };
  let known: string[] | undefined;
  try {
    const { leftPlaces, changed, ...result } = await ports.commandsFor(use).run({
      script: command,
      workspaceId: use.workspaceId,
      cwd: location,
      writable: [place],
      mounts,
      hosts,
      ...limits,
    });
    known = changed;
    return leftPlaces ? { ...result, stderr: `${result.stderr}${stillIn(location, workspace)}` } : result;
  } finally {
    if (workspace !== undefined) await tell(ports, caller, workspace.id, { command, changed: known });
  }
}

/** Throws for a `cd` to a folder outside. It has no effect, so a terminal must report it. */
function stillIn(cwd: string, workspace: Workspace | undefined): string {
  return `cd: that leads out of ${workspace === undefined ? 'this root' : 'the workspace'}: still in ${cwd}\n`;
}

async function tell(
  ports: TerminalPorts,
  caller: Caller,
  workspaceId: string,
  { command, changed }: { command: string; changed: string[] | undefined },
): Promise<void> {
  const summary = `Ran ${programOf(command)}`;
  await Promise.all([
    touchChanged(ports, workspaceId, changed),
    recordActivity(ports, { workspaceId, kind: 'command', actor: caller.id, summary }),
  ]);
}

/**
 * Returns `git clone` for `git clone https://…`, without the other arguments, because these may be secrets,
 * and other users read the activity.
 */
function programOf(command: string): string {
  const [, program, verb] = /^\s*([\w./-]{1,60})(?:[ \t]+([a-z]{2,12})(?=\s|$))?/.exec(command) ?? [];
  if (program === undefined) return 'a command';
  return verb === undefined || !WITH_VERBS.has(program) ? program : `${program} ${verb}`;
}

/**
 * Checks access to a workspace or a whole root. Workspace-scoped credentials have no access to the folders between
 * workspaces.
 */
async function requireAccess(records: Records, caller: Caller, place: Workspace | string): Promise<void> {
  if (typeof place !== 'string') callerIn(caller, place);
  else if (caller.workspaceIds === null) await requireOpenWithin(records, caller, place);
  else
    throw new Forbidden('workspace_access_denied', "cwd is in a workspace that your token doesn't include.", {
      field: 'cwd',
    });
}

export async function requireFolder(location: string): Promise<void> {
  const stats = await stat(location).catch(() => undefined);
  if (stats === undefined) throw new NotFound('path_not_found', 'cwd does not exist.', { field: 'cwd' });
  if (!stats.isDirectory())
    throw new InvalidInput('not_a_directory', "cwd isn't a directory.", { field: 'cwd' });
}

import { constants } from 'node:fs';
import { open, readlink, rm } from 'node:fs/promises';
import { InvalidInput, NotConfigured } from '../../errors.ts';
import { realCwd, realFolder, unlinkedFolder } from '../../paths/command-folders.ts';
import { isInside } from '../../paths/confine.ts';
import { hasCode } from '../../paths/file-errors.ts';
import type { Command, CommandResult, Commands, FolderMount } from '../../ports/commands.ts';
import { type GroupBounds, SANDBOX_BOUNDS } from './group-use.ts';
import type { Launch, LaunchPlan, Sandbox } from './launch.ts';
import { withTargets } from './mount-targets.ts';
import { PROXY_ENVIRONMENT, START_FORWARDER } from './network/forwarder.ts';
import type { HostGuard, HostProxy } from './network/host-proxy.ts';
import { withHosts } from './network/with-hosts.ts';
import { type GroupResult, type RunGroup, runGroup } from './process-group.ts';
import { BEGUN, type CheckedFolders, type SandboxedShell, shellFor, terminalShell } from './shell.ts';

/** Runs commands as processes of this host, in the given sandbox. `start` starts the processes. */
export function processCommands(
  sandbox: Sandbox,
  start: RunGroup = runGroup,
  { bounds = SANDBOX_BOUNDS, guard = {} }: { bounds?: GroupBounds; guard?: HostGuard } = {},
): Commands {
  const inPlace = async (command: Command) => {
    const run = (mounts: FolderMount[]) =>
      withHosts(sandbox, { hosts: command.hosts, guard }, (proxy) =>
        runOnce(sandbox, start, { ...command, mounts }, { bounds, proxy }),
      );
    const mounted = (mounts: FolderMount[], otherwise: () => Promise<CommandResult>) =>
      withTargets(mounts, command.writable, (opened) => run(opened).catch(unlessMounted(opened, otherwise)));
    const mounts = isMounted(sandbox) ? (command.mounts ?? []) : [];
    // Another process whose command has just ended may have removed a folder before anything was mounted on
    // it here.
    return mounted(mounts, () => mounted(mounts, () => run([])));
  };
  return {
    async run(command) {
      const { keeper } = command;
      return keeper === undefined ? inPlace(command) : keeper.around(command.script, () => inPlace(command));
    },
  };
}

/** The sandbox couldn't be created, so the command hasn't started. */
class NotBegun extends Error {}

/**
 * Tries once more without mounts, if they may be why the sandbox failed. A source that is being replaced with
 * a link is never shown.
 */
function unlessMounted(mounts: FolderMount[], next: () => Promise<CommandResult>) {
  return (error: unknown) => {
    if (!(error instanceof NotBegun) || mounts.length === 0) throw error;
    return next();
  };
}

async function runOnce(
  sandbox: Sandbox,
  start: RunGroup,
  command: Command,
  { bounds, proxy }: { bounds: GroupBounds; proxy: HostProxy | undefined },
): Promise<CommandResult> {
  const { launch, places } = await launchScript(sandbox, { ...command, proxySocket: proxy?.socketPath });
  try {
    const group = await start(launch, { ...command, bounds: boundsIn(sandbox, bounds) });
    return await toResult(group, places, refusedHosts(proxy));
  } finally {
    if (launch.temporaryFolder !== undefined)
      await rm(launch.temporaryFolder, { recursive: true, force: true });
  }
}

type Script = Pick<Command, 'script' | 'cwd' | 'writable' | 'mounts'> &
  Pick<LaunchPlan, 'readable' | 'proxySocket'>;

/** Returns how to start a script in a sandbox that shows exactly the checked folders. Throws the errors of Commands. */
export async function launchScript(
  sandbox: Sandbox,
  { script, ...command }: Script,
): Promise<{ launch: Launch; places: Places }> {
  return launchShell(sandbox, command, (sandboxed) => shellFor(script, sandboxed));
}

type ShellPlaces = Omit<Script, 'script'>;

/**
 * Returns how to start a shell for a person, in the same sandbox as in `launchScript`. Throws the errors of
 * Commands.
 */
export async function launchTerminal(sandbox: Sandbox, places: ShellPlaces): Promise<Launch> {
  const { launch } = await launchShell(sandbox, places, terminalShell, true);
  return { ...launch, env: { ...launch.env, TERM: 'xterm-256color', COLORTERM: 'truecolor' } };
}

async function launchShell(
  sandbox: Sandbox,
  { readable, proxySocket, mounts = [], ...command }: ShellPlaces,
  shell: (sandboxed?: SandboxedShell) => string[],
  isTerminal = false,
): Promise<{ launch: Launch; places: Places }> {
  const places = await findPlaces(command, sandbox.hidden);
  const prepare = proxySocket === undefined ? [] : [START_FORWARDER];
  const argv = shell(
    isMounted(sandbox) ? { ...(await identify(places.writable, mounts)), prepare } : undefined,
  );
  const plan = { argv, ...places, mounts, proxySocket, isTerminal, ...(readable && { readable }) };
  const launch = await sandbox.launch(plan);
  const env = proxySocket === undefined ? launch.env : { ...launch.env, ...PROXY_ENVIRONMENT };
  return { launch: { ...launch, env }, places };
}

/** Returns whether the sandbox mounts folders. Other kinds allow access by path. */
export function isMounted({ kind }: Sandbox): boolean {
  return kind === 'bubblewrap' || kind === 'namespaces';
}

/** Returns the limits in a sandbox. Outside one, a program can escape the accounting. */
export function boundsIn(sandbox: Sandbox, bounds = SANDBOX_BOUNDS): GroupBounds | undefined {
  return isMounted(sandbox) ? bounds : undefined;
}

/**
 * Returns directories with their identities, which persist when names change. A mount's target must have the
 * identity of its source.
 */
async function identify(writable: string[], mounts: FolderMount[]): Promise<CheckedFolders> {
  const folders = [...writable, ...mounts.map(({ target }) => target)];
  const sources = [...writable, ...mounts.map(({ source }) => source)];
  return { folders, identities: await Promise.all(sources.map(identityOf)) };
}

async function identityOf(folder: string): Promise<string> {
  await using handle = await open(
    folder,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  ).catch(unlessMoved);
  const there = await readlink(`/proc/self/fd/${handle.fd}`);
  if (there !== folder) throw moved();
  const { dev, ino } = await handle.stat({ bigint: true });
  return `${dev}:${ino}`;
}

/** Throws if a link has replaced the folder, or it was removed. */
function unlessMoved(error: unknown): never {
  if (hasCode(error, 'ELOOP', 'ENOENT', 'ENOTDIR')) throw moved();
  throw error;
}

function moved(): InvalidInput {
  return new InvalidInput('invalid_path', 'cwd was moved in the meantime. Run the command again.', {
    field: 'cwd',
  });
}

type Places = Pick<LaunchPlan, 'cwd' | 'writable'>;

async function findPlaces(
  { cwd, writable }: Pick<Command, 'cwd' | 'writable'>,
  hidden: string[],
): Promise<Places> {
  const folders = await Promise.all(writable.map(unlinkedFolder));
  const places = { cwd: await realCwd(cwd, folders), writable: folders };
  for (const folder of places.writable) refuseOwnFolder(folder, hidden);
  return places;
}

/**
 * Throws for a root that contains the system, or is the service's own folder, because it can't be shown
 * without hidden files.
 */
function refuseOwnFolder(folder: string, hidden: string[]): void {
  if (isInside(folder, '/usr') || /^\/(proc|sys|dev)(\/|$)/.test(folder) || hidden.includes(folder)) {
    throw new NotConfigured(
      'commands_not_configured',
      "Commands can't run in a system directory or in a folder of the service. Change WORKSPACE_ROOTS.",
    );
  }
}

/** Adds the names of the refused hosts, because most programs print only the status of the proxy's answer. */
function refusedHosts(proxy: HostProxy | undefined): string {
  const hosts = [...(proxy?.refused ?? [])].join(', ');
  return hosts === ''
    ? ''
    : `Not reached: ${hosts}. Commands of this workspace reach only public hosts that are listed under Permissions (network).\n`;
}

async function toResult(group: GroupResult, places: Places, unreached: string): Promise<CommandResult> {
  const { stdout, stderr: own, exitCode, timedOut, truncated, report, exceeded } = group;
  if (!report.startsWith(BEGUN) && !timedOut)
    throw new NotBegun(`The sandbox could not be created: ${exitCode} ${own.trim()}`);
  const stopped = exceeded === undefined ? '' : `The command ${exceeded} and was stopped.\n`;
  const added = `${unreached}${stopped}`;
  const stderr = added === '' ? own : `${own}\n${added}`.trimStart();
  const ended = await endOf(report.slice(BEGUN.length).replace(/\n$/, ''), places);
  const cwd = ended ?? places.cwd;
  return {
    stdout,
    stderr,
    exitCode,
    timedOut,
    truncated,
    cwd,
    ...(ended === undefined && { leftPlaces: true }),
  };
}

/**
 * Returns the folder in which a command ended; undefined if it is outside the allowed ones, because a command
 * can report any folder.
 */
async function endOf(reported: string, { cwd, writable }: Places): Promise<string | undefined> {
  if (reported === '') return cwd; // the command was killed
  const real = await realFolder(reported).catch(() => undefined);
  return real !== undefined && writable.some((folder) => isInside(folder, real)) ? real : undefined;
}

import { resolve } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { callerIn } from '../access/members.ts';
import { recordActivity } from '../activity/record.ts';
import { repeat } from '../async/repeat.ts';
import { commandMounts } from '../datasets/links/mounts.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { touchChanged } from '../indexing/enqueue.ts';
import { log } from '../log.ts';
import { isInside } from '../paths/confine.ts';
import { commandHosts } from '../permissions/store.ts';
import { timestamp } from '../ports/clock.ts';
import type { Terminal, Terminals } from '../ports/terminals.ts';
import { hasRights } from '../tokens/rights.ts';
import { recordUsage } from '../usage/record-usage.ts';
import { findWorkspace, guardedPlaceOf } from '../workspaces/access.ts';
import { requireInRoots } from '../workspaces/registry.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { requireFolder, type TerminalPorts } from './exec.ts';
import { addOutput, announce, type LiveSession, liveSession, type SessionEnd } from './live-session.ts';
import type { OpenSession, ShownSession } from './session-schema.ts';

export interface SessionPorts extends TerminalPorts {
  terminals: Terminals;
  sessions: SessionStore;
}

export interface SessionBounds {
  perPerson: number;
  inAll: number;
  idleMs: number;
  lifetimeMs: number;
  /** Milliseconds for which the output of an ended session can be read. */
  endedMs: number;
}

const BOUNDS: SessionBounds = {
  perPerson: 4,
  inAll: 16,
  idleMs: 60 * 60_000,
  lifetimeMs: 12 * 60 * 60_000,
  endedMs: 60_000,
};
/** Milliseconds after which a session ends if its caller has lost the right to it. */
const LOOK_EVERY_MS = 5_000;

/** The sessions of this process. */
export interface SessionStore {
  all: Map<string, LiveSession>;
  bounds: SessionBounds;
  timer?: NodeJS.Timeout | undefined;
}

export function sessionStore(bounds: Partial<SessionBounds> = {}): SessionStore {
  return { all: new Map(), bounds: { ...BOUNDS, ...bounds } };
}

/**
 * Opens a terminal in a workspace for a caller with access. It continues after the request, and belongs to
 * this caller alone. Throws TooManyRequests, InvalidInput for a `cwd` outside the workspace, and the errors
 * of Terminals.
 */
export async function openSession(
  ports: SessionPorts,
  caller: Caller,
  workspace: Workspace,
  { cwd = '.', columns, rows }: OpenSession,
): Promise<ShownSession> {
  const location = await requireInWorkspace(ports, workspace, cwd);
  const session = addSession(ports, caller, workspace);
  try {
    const places = { cwd: location, writable: [workspace.rootPath] };
    const mounts = await commandMounts(ports.records, workspace);
    const hosts = await commandHosts(ports.records, workspace.id);
    session.terminal = await ports.terminals.open(
      { ...places, mounts, hosts, columns, rows },
      {
        onOutput(text) {
          session.usedAt = ports.clock.now();
          addOutput(session, text);
        },
        onEnd: (exitCode) => settle(ports, session, exitCode),
      },
    );
  } catch (error) {
    ports.sessions.all.delete(session.id);
    throw error;
  }
  await tell(ports, session, 'Opened a terminal');
  return show(ports, session);
}

function show({ clock, sessions }: SessionPorts, { id, workspaceId, startedAt }: LiveSession): ShownSession {
  const at = (time: number) => timestamp(clock, time - clock.now());
  const endsAt = at(startedAt + sessions.bounds.lifetimeMs);
  return { id, workspaceId, createdAt: at(startedAt), endsAt };
}

async function requireInWorkspace(
  { workspaceRoots }: SessionPorts,
  { rootPath }: Workspace,
  cwd: string,
): Promise<string> {
  const { location } = await requireInRoots(workspaceRoots, resolve(rootPath, cwd), 'cwd');
  if (!isInside(rootPath, location))
    throw new InvalidInput('path_outside_workspace', 'cwd is outside the workspace.', { field: 'cwd' });
  await requireFolder(location);
  return location;
}

/** Adds a session before its processes start, so that concurrent requests can't exceed the limits. */
function addSession(
  ports: SessionPorts,
  caller: Caller,
  { id: workspaceId, rootPath }: Workspace,
): LiveSession {
  const { all, bounds } = ports.sessions;
  const open = [...all.values()].filter(({ ended }) => ended === undefined);
  const own = open.filter((session) => session.caller.id === caller.id);
  if (own.length >= bounds.perPerson || open.length >= bounds.inAll)
    throw new Conflict('too_many_terminals', 'Too many terminals are open. Close one, and try again.');
  const session = liveSession({ id: newId(), workspaceId, rootPath, caller, startedAt: ports.clock.now() });
  all.set(session.id, session);
  watch(ports);
  return session;
}

/**
 * Finds a session of the caller, who must still have access to its workspace. Throws NotFound for other
 * callers' sessions.
 */
export async function findSession(ports: SessionPorts, caller: Caller, id: string): Promise<LiveSession> {
  const session = ports.sessions.all.get(id);
  if (session === undefined || session.caller.id !== caller.id)
    throw new NotFound('terminal_session_not_found', 'This terminal does not exist. It may have ended.');
  callerIn(caller, await findWorkspace(ports.records, caller, session.workspaceId));
  return session;
}

/** Calls a session's terminal. Throws NotFound if the session has ended. */
export async function useTerminal(
  ports: SessionPorts,
  caller: Caller,
  id: string,
  use: (terminal: Terminal) => void,
): Promise<ShownSession> {
  const session = await findSession(ports, caller, id);
  const { terminal, ended } = session;
  if (terminal === undefined || ended !== undefined)
    throw new NotFound('terminal_session_not_found', 'This terminal has ended.');
  session.usedAt = ports.clock.now();
  use(terminal);
  return show(ports, session);
}

/** Kills all processes of a session and forgets it. */
export async function closeSession(ports: SessionPorts, caller: Caller, id: string): Promise<void> {
  const session = await findSession(ports, caller, id);
  endSession(session, 'closed');
  ports.sessions.all.delete(id);
}

function endSession(session: LiveSession, reason: SessionEnd): void {
  session.ending ??= reason;
  session.terminal?.end();
}

/** Records the end of a session's processes. */
function settle(ports: SessionPorts, session: LiveSession, exitCode: number | null): void {
  const reason = session.ending ?? (exitCode === null ? 'lost' : 'exited');
  const at = ports.clock.now();
  session.ended = { reason, exitCode, at };
  announce(session);
  const use = { callerId: session.caller.id, workspaceId: session.workspaceId, kind: 'terminal' } as const;
  recordUsage(ports, use, '', { calls: 1, commandMs: Math.max(0, Math.round(at - session.startedAt)) });
  void tell(ports, session, 'Closed a terminal').catch((error: unknown) =>
    log.error('the end of a terminal was not recorded', { workspaceId: session.workspaceId }, error),
  );
}

async function tell(
  ports: SessionPorts,
  { workspaceId, caller }: LiveSession,
  summary: string,
): Promise<void> {
  await Promise.all([
    touchChanged(ports, workspaceId, undefined),
    recordActivity(ports, { workspaceId, kind: 'command', actor: caller.id, summary }),
  ]);
}

/** Checks the sessions periodically while there are any. */
function watch(ports: SessionPorts): void {
  const { sessions } = ports;
  const look = async () => {
    await endOverdue(ports);
    if (sessions.all.size > 0) return;
    clearInterval(sessions.timer);
    sessions.timer = undefined;
  };
  sessions.timer ??= repeat(LOOK_EVERY_MS, look, (error) =>
    log.error('terminals were not checked', {}, error),
  );
}

/**
 * Ends sessions whose time is up, or whose caller has lost the right to them, and forgets those that have
 * ended.
 */
export async function endOverdue(ports: SessionPorts): Promise<void> {
  for (const session of ports.sessions.all.values()) {
    const reason = await whyOver(ports, session);
    if (reason !== undefined) endSession(session, reason);
    const { ended } = session;
    if (ended !== undefined && ports.clock.now() - ended.at > ports.sessions.bounds.endedMs)
      ports.sessions.all.delete(session.id);
  }
}

async function whyOver(ports: SessionPorts, session: LiveSession): Promise<SessionEnd | undefined> {
  if (session.ended !== undefined) return undefined;
  const { bounds } = ports.sessions;
  const now = ports.clock.now();
  if (now - session.startedAt > bounds.lifetimeMs) return 'lifetime';
  if (session.readers.size === 0 && now - session.usedAt > bounds.idleMs) return 'idle';
  return (await mayStay(ports, session)) ? undefined : 'rights_lost';
}

async function mayStay(
  ports: SessionPorts,
  { caller, workspaceId, rootPath }: LiveSession,
): Promise<boolean> {
  const workspace = await workspaces.get(ports.records, { id: workspaceId });
  if (workspace?.rootPath !== rootPath) return false;
  return hasRights(ports, caller, 'member', await guardedPlaceOf(ports.records, workspaceId));
}

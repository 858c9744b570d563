import type { Schemas } from '../../lib/api-contract/schema.ts';

export type Result = Schemas['CommandResult'];

/** A command and its result: an error is one of the service, not of the command. */
export interface Ran {
  id: number;
  command: string;
  cwd: string;
  result?: Result;
  error?: Error;
}

export interface Session {
  ran: Ran[];
  cwd: string;
}

/** Outputs may be of megabytes: a tab keeps the last ones. */
const MOST_KEPT = 50;

export function withStarted({ ran, cwd }: Session, command: string): Session {
  const id = (ran.at(-1)?.id ?? 0) + 1;
  return { cwd, ran: [...ran, { id, command, cwd }].slice(-MOST_KEPT) };
}

/** Where a command ended the next one begins. */
export function withEnded(
  session: Session,
  id: number,
  ended: { result: Result } | { error: Error },
): Session {
  return {
    cwd: 'result' in ended ? ended.result.cwd : session.cwd,
    ran: session.ran.map((each) => (each.id === id ? { ...each, ...ended } : each)),
  };
}

/** The commands before, the latest last; a command run twice in a row stands once. */
export function withCommand(history: string[], command: string, most = 200): string[] {
  return history.at(-1) === command ? history : [...history, command].slice(-most);
}

export function readHistory(kept: string | null): string[] {
  try {
    const history: unknown = JSON.parse(kept ?? '[]');
    return Array.isArray(history) ? history.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Below the workspace's folder by its own path; elsewhere whole. */
export function placeOf(cwd: string, root: string): string {
  if (cwd === root) return '~';
  return cwd.startsWith(`${root}/`) ? `~${cwd.slice(root.length)}` : cwd;
}

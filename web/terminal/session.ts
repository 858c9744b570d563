import type { Schemas } from '../../lib/api-contract/schema.ts';

export type Result = Schemas['CommandResult'];

/** A command and its result; an error is the service's, not the command's. */
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

/** Maximum commands that a tab keeps, because their outputs may have megabytes. */
const MOST_KEPT = 50;

export function withStarted({ ran, cwd }: Session, command: string): Session {
  const id = (ran.at(-1)?.id ?? 0) + 1;
  return { cwd, ran: [...ran, { id, command, cwd }].slice(-MOST_KEPT) };
}

/** Adds a result; the next command starts in the directory where the previous one ended. */
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

/** Returns the history, latest last; a command repeated in a row appears once. */
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

/**
 * Returns a path relative to the workspace's folder if the path is inside it, and otherwise the full path.
 */
export function placeOf(cwd: string, root: string): string {
  if (cwd === root) return '~';
  return cwd.startsWith(`${root}/`) ? `~${cwd.slice(root.length)}` : cwd;
}

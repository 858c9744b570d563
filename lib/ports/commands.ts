import type { ErrorCode } from '../error-codes.ts';

/**
 * Error codes for a command that couldn't run, on this host or in the commands function. Those of its folder are
 * PATH_ERRORS.
 */
export const COMMAND_ERRORS = [
  'command_sandbox_missing',
  'command_stopped',
  'commands_busy',
  'commands_failed',
  'commands_not_configured',
  'commands_workspace_too_large',
  'concurrent_changes',
  'object_storage_failed',
] as const satisfies ErrorCode[];

/** Runs shell commands of a user or a model, isolated from everything that the service knows. */
export interface Commands {
  /**
   * Runs one script with /bin/sh (bash if available). The process sees no variable, secret, or file of the service; of the file
   * system only system programs, an empty temporary folder, and `writable`. It and all its children are killed at the time
   * limit, when the signal is aborted, and when it ends. Throws InvalidInput if `cwd` isn't a directory inside `writable`,
   * NotConfigured if commands can't run here.
   */
  run(command: Command): Promise<CommandResult>;
}

export interface Command {
  script: string;
  /** The workspace whose files these are, if commands run separately per workspace; null outside of any. */
  workspaceId?: string | null;
  /** Absolute; links resolved. */
  cwd: string;
  /**
   * Directories (a workspace, or a root) that the command may read and change. No other user files. Absolute, with links
   * resolved: a path that has become a link is rejected.
   */
  writable: string[];
  /** Directories that appear inside `writable`, read-only. Omitted if the sandbox can't mount. */
  mounts?: FolderMount[];
  timeoutMs: number;
  /** stdout and stderr are each truncated after this many bytes (never inside a character). */
  maxOutputBytes: number;
  signal?: AbortSignal;
  /** Stores the earlier state of the first of `writable` before the command changes it. */
  keeper?: ChangeKeeper | undefined;
}

/**
 * Stores what a change of a workspace replaces, so that it can be undone. Never fails a change because something can't
 * be stored.
 */
export interface ChangeKeeper {
  /** Identifies the command: if its caller was killed, the same keeper stores its changes. */
  id: string;
  other(id: string): ChangeKeeper;
  /** Makes one change, of a path relative to the workspace and of its missing parents. */
  change<Result>(path: string, make: () => Promise<Result>): Promise<Result>;
  /** Runs a script that may change anything in the workspace. */
  around<Result>(script: string, run: () => Promise<Result>): Promise<Result>;
}

/** Both paths are absolute; the source has its links resolved. */
export interface FolderMount {
  source: string;
  target: string;
}

export interface CommandResult {
  stdout: string;
  stderr: string;
  /** 124 after the time limit, 128 + n after signal n. */
  exitCode: number;
  timedOut: boolean;
  truncated: boolean;
  /** Where the shell was when it ended (`cd`), if that is still inside `writable`; otherwise the cwd it started in. */
  cwd: string;
  /** True if it ended outside `writable`, so `cwd` is where it started. */
  leftPlaces?: boolean | undefined;
  /**
   * The paths that it changed in the first of `writable`, and those that an earlier command changed without its caller.
   * A folder represents everything in it. Undefined if unknown: then anything may have changed.
   */
  changed?: string[] | undefined;
}

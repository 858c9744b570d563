import type { ErrorCode } from '../error-codes.ts';

/**
 * Error codes for a command that couldn't run, on this host or in the commands function. PATH_ERRORS has those of its
 * folder.
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

/**
 * Maximum bytes of a command's output that a waiting person sees before the command ends, so that a flood of
 * output costs nothing.
 */
export const MAX_LIVE_BYTES = 64 * 1024;

/** Runs shell commands of a user or a model, isolated from all data of the service. */
export interface Commands {
  /**
   * Runs one script with /bin/sh (bash if available). The process sees no variable, secret, or file of the service, and
   * only system programs, an empty temporary folder, and `writable` in the file system. It is killed with all its
   * children at the time limit and when the signal is aborted; its children are killed when it ends. Throws
   * InvalidInput if `cwd` isn't a directory inside `writable`, NotConfigured if commands can't run here.
   */
  run(command: Command): Promise<CommandResult>;
}

export interface Command {
  script: string;
  /**
   * The workspace of these files, if each workspace has its own environment for commands; null outside any
   * workspace.
   */
  workspaceId?: string | null;
  /** Absolute; links resolved. */
  cwd: string;
  /**
   * Directories (a workspace, or a root) that the command may read and change; it sees no other user files.
   * Absolute, with links resolved; a path that has become a link is rejected.
   */
  writable: string[];
  /** Directories to mount read-only inside `writable`. Ignored if the sandbox can't mount. */
  mounts?: FolderMount[];
  /**
   * Host names that the command may reach over HTTP and HTTPS although it has no network. No effect if it has
   * one, or if the sandbox can't allow single hosts.
   */
  hosts?: string[];
  timeoutMs: number;
  /** Bytes after which stdout and stderr are each truncated, though never inside a character. */
  maxOutputBytes: number;
  signal?: AbortSignal;
  /**
   * Receives stdout and stderr as they arrive, at most `MAX_LIVE_BYTES`, for a person who is waiting. Not
   * called if commands run on another host.
   */
  onText?: ((text: string) => void) | undefined;
  /** Stores the state of the first `writable` directory before the command changes it. */
  keeper?: ChangeKeeper | undefined;
}

/**
 * Stores replaced contents of a workspace, so that the change can be undone. A change never fails because
 * contents can't be stored.
 */
export interface ChangeKeeper {
  /** Identifies the command. If its caller was killed, the same keeper stores its changes. */
  id: string;
  other(id: string): ChangeKeeper;
  /** Makes one change to a path relative to the workspace, including its missing parents. */
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
  /** 124 after the time limit; 128 + n after signal n. */
  exitCode: number;
  timedOut: boolean;
  truncated: boolean;
  /**
   * The shell's directory at its end (after `cd`) if that is still inside `writable`, otherwise the initial
   * cwd.
   */
  cwd: string;
  /** True if the shell ended outside `writable`, so that `cwd` is the initial directory. */
  leftPlaces?: boolean | undefined;
  /**
   * The changed paths in the first `writable` directory, including changes by an earlier command whose caller
   * no longer waited. A folder represents everything in it. Undefined if the paths are unknown, so anything
   * may have changed.
   */
  changed?: string[] | undefined;
}

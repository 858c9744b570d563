/** Runs a user's or a model's shell commands, away from everything that the service knows. */
export interface Commands {
  /**
   * Runs one script with /bin/sh (bash where there is one). The process sees no variable, secret or file of the service;
   * of the file system only system programs, an empty temporary folder and `writable`. It and all it started are killed
   * at the time limit, when the signal is aborted, and when it ends. Throws InvalidInput when `cwd` is no directory
   * inside `writable`, NotConfigured when commands may not run here.
   */
  run(command: Command): Promise<CommandResult>;
}

export interface Command {
  script: string;
  /** The workspace whose files these are, where commands run apart for each workspace; null outside of them. */
  workspaceId?: string | null;
  /** Absolute; links resolved. */
  cwd: string;
  /**
   * Directories (a workspace, or a root) that the command may see and change. Nothing else of the user's. Absolute, links
   * resolved: one that is a link by now is refused.
   */
  writable: string[];
  /** Directories that appear inside `writable`, read-only. Left out where the sandbox can mount nothing. */
  mounts?: FolderMount[];
  timeoutMs: number;
  /** Each of stdout and stderr is cut after this many bytes (never inside a character). */
  maxOutputBytes: number;
  signal?: AbortSignal;
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
  /** Where the shell was when it ended (`cd`), if that is still inside `writable`; else the cwd it began in. */
  cwd: string;
  /** It ended outside `writable`, so that `cwd` is where it began. */
  leftPlaces?: boolean | undefined;
}

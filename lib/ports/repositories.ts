import type { ErrorCode } from '../error-codes.ts';

/** Error codes of every call. Without a git program, calls run in a process with limits (lib/isolation). */
export const GIT_ERRORS = [
  'file_damaged',
  'file_too_large_to_read',
  'git_repository_too_large',
  'git_repository_unusable',
  'git_timeout',
] as const satisfies ErrorCode[];

/** Error codes of calls that contact the code host. */
export const GIT_HOST_ERRORS = [
  ...GIT_ERRORS,
  'git_host_failed',
  'git_host_unreachable',
  'git_repository_not_found',
  'host_unreachable',
  'invalid_url',
  'url_not_public',
] as const satisfies ErrorCode[];

/** Error codes of a pull. */
export const GIT_PULL_ERRORS = [
  ...GIT_HOST_ERRORS,
  'git_branch_missing',
  'git_diverged',
  'git_local_changes',
  'git_upstream_missing',
] as const satisfies ErrorCode[];

/** Error codes of calls that change a clone without contacting a host. */
export const GIT_CHANGE_ERRORS = [
  ...GIT_ERRORS,
  'git_changed_meanwhile',
  'git_conflicts',
] as const satisfies ErrorCode[];

/** Error codes of a commit. */
export const GIT_COMMIT_ERRORS = [
  ...GIT_CHANGE_ERRORS,
  'git_branch_missing',
  'git_merge_in_progress',
  'git_nothing_staged',
] as const satisfies ErrorCode[];

/** Error codes of a switch to another branch. */
export const GIT_BRANCH_ERRORS = [
  ...GIT_CHANGE_ERRORS,
  'git_branch_exists',
  'git_branch_missing',
  'git_branch_not_found',
  'git_local_changes',
  'git_merge_in_progress',
] as const satisfies ErrorCode[];

/** Error codes of a push. */
export const GIT_PUSH_ERRORS = [
  ...GIT_HOST_ERRORS,
  'git_branch_missing',
  'git_changed_meanwhile',
  'git_diverged',
  'git_push_rejected',
  'git_upstream_missing',
] as const satisfies ErrorCode[];

/**
 * Git repositories on public hosts, and their clones in folders of the service. A clone is as untrusted as
 * its origin, because commands may have changed it. Nothing in it (hooks, filters, settings, links) can run a
 * program, reach a location outside its folder, or decide where a credential is sent.
 */
export interface Repositories {
  /**
   * Downloads the newest state of the repository's default branch into an empty folder. After a failure, the
   * caller empties the folder. Returns the final URL, after redirects. Throws InvalidInput for a refused URL,
   * UpstreamFailed if the repository can't be cloned, TooLarge, and the signal's reason.
   */
  clone(url: string, folder: string, options?: { signal?: AbortSignal }): Promise<string>;
  /**
   * Fast-forwards a clone's branch and files to its upstream. Undefined if the folder isn't a clone. Throws
   * Conflict, without changes, if that isn't possible, otherwise the errors of `clone`. The clone's settings
   * name the remote and are untrusted, so the service's credential is sent only to `tokenFor`, a URL that
   * `clone` returned.
   */
  pull(folder: string, options?: PullOptions): Promise<Pulled | undefined>;
  /** Returns the status as of the last clone or pull, without network access. Undefined if the folder isn't a clone. */
  status(folder: string): Promise<RepositoryStatus | undefined>;
  /** Returns the diff of one file or all files, within limits, and marked if its end is missing. */
  diff(folder: string, asked: DiffRequest): Promise<FileDiff | undefined>;
  /** Returns commits of HEAD, newest first. */
  log(folder: string, range: LogRange): Promise<Commit[] | undefined>;
  /**
   * Puts the current state of these files, including deletions, into the index. The paths are exact, never
   * patterns.
   */
  stage(folder: string, paths: string[]): Promise<Changed | undefined>;
  /** Resets these files in the index to the last commit. The files stay as they are. */
  unstage(folder: string, paths: string[]): Promise<Changed | undefined>;
  /** Commits the index to the current branch. Throws Conflict if it equals the last commit. */
  commit(folder: string, draft: CommitDraft): Promise<Committed | undefined>;
  /**
   * Creates a branch at HEAD, or switches to an existing one. Throws Conflict, without changes, if that would
   * overwrite a change or an untracked file, even an ignored one.
   */
  branch(folder: string, wanted: WantedBranch): Promise<Switched | undefined>;
  /**
   * Restores these tracked files from the index. Throws Conflict, without changes, if an untracked file is in
   * the way.
   */
  discard(folder: string, paths: string[]): Promise<Changed | undefined>;
  /**
   * Sends the current branch to its upstream, fast-forward only, with the credential. Throws Conflict if
   * `tokenFor` isn't the upstream's URL: nothing is ever sent to a URL that only the clone's settings name.
   */
  push(folder: string, options: PullOptions): Promise<Pushed | undefined>;
  /** Returns whether a credential for this URL is configured. */
  canPush(url: string): Promise<boolean>;
}

/** The result of a change that returns no other value; undefined if the folder isn't a clone. */
export type Changed = true;

export interface DiffRequest {
  /** Undefined means all tracked files. */
  path: string | undefined;
  /** True compares the index with the last commit; false compares the file with the index. */
  staged: boolean;
}

export interface FileDiff {
  /** Hunks in the unified format, from the first `@@`. With file headers if several files were requested. */
  patch: string;
  /** True for a file that isn't text, or is too large to compare. */
  isBinary: boolean;
  /** True if the end is missing. */
  isCut: boolean;
}

/** Which commits of a log: at most `most`, after the first `skip`. */
export interface LogRange {
  most: number;
  skip: number;
}

export interface Commit {
  hash: string;
  author: string;
  /** Seconds since 1970. */
  at: number;
  subject: string;
  body: string;
}

export interface CommitDraft {
  message: string;
  author: { name: string; email: string };
}

export interface Committed {
  branch: string;
  commit: string;
}

export interface WantedBranch {
  name: string;
  create: boolean;
}

export interface Switched {
  branch: string;
  changedFiles: number;
}

export interface Pushed {
  branch: string;
  commit: string;
}

export interface PullOptions {
  signal?: AbortSignal | undefined;
  /** The URL that may receive the credential; if absent, no host gets it. */
  tokenFor?: string | undefined;
}

export interface Pulled {
  branch: string;
  /** The commits before and after, in hex; equal if nothing was new. */
  from: string;
  to: string;
  changedFiles: number;
}

export interface RepositoryStatus {
  /** Null if HEAD is detached. */
  branch: string | null;
  /** Sorted by path; at most MAX_MODIFIED. */
  modified: GitFile[];
  /** Local branches, sorted; at most MAX_BRANCHES. */
  branches: string[];
  /** True if the branch has a fetched upstream. */
  hasUpstream: boolean;
  /** How many commits the branch is ahead of its upstream, and how many behind. */
  ahead: number;
  behind: number;
}

export interface GitFile {
  path: string;
  status: FileStatus;
  /** Whether the index differs from the last commit, and whether the file differs from the index. */
  staged: boolean;
  unstaged: boolean;
}

/** The file's status compared with the last commit, staged or not. */
export type FileStatus = 'added' | 'modified' | 'deleted' | 'untracked' | 'conflicted';

export const MAX_MODIFIED = 10_000;
export const MAX_BRANCHES = 500;
/** Limits of a diff. Readers and models have no use for more. */
export const MAX_DIFF_BYTES = 512 * 1024;
export const MAX_DIFF_LINES = 5_000;
/** Files over this many bytes aren't compared. */
export const MAX_COMPARED_BYTES = 16 * 1024 ** 2;
/** Maximum bytes of all files in a working tree. */
export const MAX_TREE_BYTES = 4 * 1024 ** 3;
export const MAX_TREE_FILES = 200_000;
/** Time limits of clone (300 s), of pull and push (120 s), and of calls without network access (60 s). */
export const CLONE_TIMEOUT_MS = 300_000;
export const PULL_TIMEOUT_MS = 120_000;
export const STATUS_TIMEOUT_MS = 60_000;

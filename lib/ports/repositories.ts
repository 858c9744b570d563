import type { ErrorCode } from '../error-codes.ts';

/** Error codes of every call; without a git program, git runs in a process with limits (lib/isolation). */
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

/**
 * Git repositories on public hosts, and their clones in folders of the service. A clone is as untrusted as its origin,
 * because commands may have changed it: nothing in it (hooks, filters, settings, links) can run a program, reach a
 * location outside its folder, or decide where a credential is sent.
 */
export interface Repositories {
  /**
   * Downloads the newest state of the repository's default branch into an empty existing folder; after a failure, the
   * caller removes its contents. Returns the final URL, after redirects. Throws InvalidInput for a refused URL,
   * UpstreamFailed if the repository can't be cloned, TooLarge, and the signal's reason.
   */
  clone(url: string, folder: string, options?: { signal?: AbortSignal }): Promise<string>;
  /**
   * Fast-forwards a clone's branch and files to its upstream. Returns undefined if the folder isn't a clone. Throws
   * Conflict without changes if that isn't possible, otherwise the errors of `clone`. The clone's settings name the
   * remote and are untrusted, so the service's credential is sent only to `tokenFor`, a URL that `clone` returned.
   */
  pull(folder: string, options?: PullOptions): Promise<Pulled | undefined>;
  /** Returns the status as of the last clone or pull, without network access. Undefined if the folder isn't a clone. */
  status(folder: string): Promise<RepositoryStatus | undefined>;
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
  modified: { path: string; status: FileStatus }[];
  /** True if the branch has a fetched upstream. */
  hasUpstream: boolean;
  /** How many commits the branch is ahead of its upstream, and how many behind. */
  ahead: number;
  behind: number;
}

/** The file's status compared with the last commit, staged or not. */
export type FileStatus = 'added' | 'modified' | 'deleted' | 'untracked' | 'conflicted';

export const MAX_MODIFIED = 10_000;
/** Maximum bytes of all files in a working tree. */
export const MAX_TREE_BYTES = 4 * 1024 ** 3;
export const MAX_TREE_FILES = 200_000;
/** Time limits of clone (300 s), pull (120 s), and status (60 s). */
export const CLONE_TIMEOUT_MS = 300_000;
export const PULL_TIMEOUT_MS = 120_000;
export const STATUS_TIMEOUT_MS = 60_000;

/**
 * Git repositories on public hosts, and their clones in folders of the service. A clone is as untrusted as what it came
 * from, for commands may have changed it: nothing in it (hooks, filters, settings, links) makes anything run, reaches a
 * place outside its folder, or names where a credential goes.
 */
export interface Repositories {
  /**
   * Puts the newest state of the repository's own branch into an empty folder that exists; what is there after a failure
   * is for the caller to remove. Answers the address that it came from in the end, redirects followed. Throws InvalidInput
   * for an address that is refused, UpstreamFailed when it cannot be cloned, TooLarge, and the signal's reason.
   */
  clone(url: string, folder: string, options?: { signal?: AbortSignal }): Promise<string>;
  /**
   * Brings a clone's branch and files to the state of the branch it follows, fast-forward only. Throws Conflict when that is
   * not possible and nothing was changed, else as clone; undefined when the folder is no clone. Where it pulls from, the
   * clone says, and anybody may have written that: the service's credential is shown to `tokenFor` alone, an address that
   * clone answered.
   */
  pull(folder: string, options?: PullOptions): Promise<Pulled | undefined>;
  /** The status as of the last clone or pull: no host is asked. Undefined when the folder is no clone. */
  status(folder: string): Promise<RepositoryStatus | undefined>;
}

export interface PullOptions {
  signal?: AbortSignal | undefined;
  /** Absent: nobody is shown it. */
  tokenFor?: string | undefined;
}

export interface Pulled {
  branch: string;
  /** The commits before and after, in hex; the same when there was nothing new. */
  from: string;
  to: string;
  changedFiles: number;
}

export interface RepositoryStatus {
  /** Null when HEAD is on none. */
  branch: string | null;
  /** Sorted by path; at most MAX_MODIFIED. */
  modified: { path: string; status: FileStatus }[];
  /** Commits that the branch has more, and fewer, than the one it follows. */
  ahead: number;
  behind: number;
}

/** Compared with the last commit, staged or not. */
export type FileStatus = 'added' | 'modified' | 'deleted' | 'untracked' | 'conflicted';

export const MAX_MODIFIED = 10_000;
/** The most bytes of all files of a working tree. */
export const MAX_TREE_BYTES = 4 * 1024 ** 3;
export const MAX_TREE_FILES = 200_000;
/** What takes over 300 s is not cloned, over 120 s not pulled, over 60 s not looked at. */
export const CLONE_TIMEOUT_MS = 300_000;
export const PULL_TIMEOUT_MS = 120_000;
export const STATUS_TIMEOUT_MS = 60_000;

/** Reports changes that any program makes in a folder. */
export interface FolderWatcher {
  /**
   * The maximum number of watched folders across all roots, and the system setting that limits it; undefined
   * without a limit.
   */
  limit?: { folders: number; setting: string };
  /**
   * Returns why changes in the folder, or below it, can't be reported; undefined if they can. A cheap check.
   */
  whyNot(root: string): Promise<UnwatchedReason | undefined>;
  /** Resolves once all later changes will be reported. Throws Unwatchable. */
  watch(root: string, tree: WatchedTree, tell: FolderEvents): Promise<FolderWatch>;
}

/**
 * `network`: other hosts change the folder unnoticed. `limit`: the system allows no more watches. `system`:
 * any other reason.
 */
export type UnwatchedReason = 'network' | 'limit' | 'system';

/** The folders to watch. */
export interface WatchedTree {
  /** Visits the folders at and below a path, each before its entries are listed. */
  visit(path: string, visitor: (folder: string) => void): Promise<void>;
}

/** Paths are relative to the root. */
export interface FolderEvents {
  /** A file or folder was created, changed, moved, or deleted; a folder's contents may have changed too. */
  changed(path: string): void;
  /** Changes up to now may have been missed. */
  lost(): void;
  /** The watch has ended. */
  ended(reason: UnwatchedReason): void;
}

export interface FolderWatch {
  /** Returns when the earliest unreported change was noticed, in milliseconds since the epoch. */
  unreportedSince(): number | undefined;
  /** Visits the tree again, because the folders to watch have changed. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export class Unwatchable extends Error {
  readonly reason: UnwatchedReason;
  constructor(reason: UnwatchedReason, cause?: unknown) {
    super(`the folder can't be watched (${reason})`, { cause });
    this.reason = reason;
  }
}

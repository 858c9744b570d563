/** Reports changes that any program makes in a folder. */
export interface FolderWatcher {
  /** How many folders may be watched, of all roots, and the setting of the system behind it; undefined without a limit. */
  limit?: { folders: number; setting: string };
  /** Why changes in the folder, or in one below it, can't be reported; undefined if they can. Cheap. */
  whyNot(root: string): Promise<UnwatchedReason | undefined>;
  /** Resolves once each later change is reported. Throws Unwatchable. */
  watch(root: string, tree: WatchedTree, tell: FolderEvents): Promise<FolderWatch>;
}

/** `network`: other hosts change it unnoticed. `limit`: the system allows no more watches. `system`: anything else. */
export type UnwatchedReason = 'network' | 'limit' | 'system';

/** The folders that matter. */
export interface WatchedTree {
  /** Visits those at a path and below it, each before its entries are listed. */
  visit(path: string, visitor: (folder: string) => void): Promise<void>;
}

/** Paths are relative to the root. */
export interface FolderEvents {
  /** A file or folder was created, changed, moved, or deleted; it may have happened to what is in a folder, too. */
  changed(path: string): void;
  /** Any changes up to now may have been missed. */
  lost(): void;
  /** It watches no longer. */
  ended(reason: UnwatchedReason): void;
}

export interface FolderWatch {
  /** When the earliest change was noticed that isn't reported yet, in milliseconds since the epoch. */
  unreportedSince(): number | undefined;
  /** Visits the tree again: other folders matter now. */
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

/** A place that hosts repositories of files: datasets, models, spaces. Bytes and lists, nothing about where they go. */
export interface Hub {
  /** The commit that a revision is at now. Throws as info does. */
  pin(repo: HubRepo, options?: HubOptions): Promise<string>;
  /** Throws NotFound (also for what this token may not see), Forbidden for a gated one, and HubBusy. */
  info(repo: HubRepo, options?: HubOptions): Promise<HubInfo>;
  /**
   * The files at a commit, a page a time; `cursor` goes on after the page that carried it. A page may be empty.
   * Paths are the hub's own words: whoever writes them checks them.
   */
  listFiles(
    repo: PinnedRepo,
    options?: HubOptions & { cursor?: string | undefined },
  ): AsyncIterable<HubFilePage>;
  /**
   * The bytes of a file from `offset` on. The answer may begin at 0 all the same: look at its `offset`. Throws as info
   * does, and HubBusy also while the bytes come.
   */
  openFile(repo: PinnedRepo, path: string, options: HubRange): Promise<HubBytes>;
}

export interface HubRepo {
  type: RepoType;
  /** `owner/name`. */
  id: string;
  /** A branch, a tag, a pull request (`refs/pr/1`) or a commit. */
  revision: string;
}

export type PinnedRepo = Pick<HubRepo, 'type' | 'id'> & { commit: string };
export type RepoType = 'dataset' | 'model' | 'space';

export interface HubOptions {
  signal?: AbortSignal | undefined;
}

export interface HubRange extends HubOptions {
  offset: number;
  /** Exclusive; default the end of the file. */
  end?: number | undefined;
  /** The tag of an earlier answer about this file: with it no stale beginning is completed by newer bytes. */
  etag?: string | undefined;
}

export interface HubInfo {
  /** Its name now: a renamed repository answers under the new one. */
  id: string;
  commit: string;
  description: string | null;
  totalSize: number | null;
  totalFiles: number | null;
  /** ISO 8601. */
  lastModified: string | null;
  gated: boolean;
  revisions: string[];
}

export interface HubFilePage {
  files: HubFile[];
  /** Absent on the last page. */
  cursor?: string | undefined;
}

export interface HubFile {
  path: string;
  size: number;
  /** What its bytes must add up to. `git` is the hash of a git blob: `blob <size>\0` and the bytes. */
  digest: Digest | null;
}

export interface Digest {
  algorithm: 'sha256' | 'git';
  hex: string;
}

export interface HubBytes {
  offset: number;
  etag: string | undefined;
  /** Read it to its end, or end it by its iterator's return. */
  body: AsyncIterable<Buffer>;
}

/** The hub, or the way to it, does not answer now and may later: too many requests, 5xx, a cut or silent connection. */
export class HubBusy extends Error {
  /** How long the hub asks everybody with this token to wait; undefined: this request alone failed. */
  readonly pauseMs: number | undefined;
  /** True when there was no answer at all. */
  readonly unreachable: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { pauseMs?: number | undefined; unreachable?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'HubBusy';
    this.pauseMs = options.pauseMs;
    this.unreachable = options.unreachable ?? false;
  }
}

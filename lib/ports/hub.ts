import type { ErrorCode } from '../error-codes.ts';

/** Error codes of a request to a hub. */
export const HUB_ERRORS = [
  'host_unreachable',
  'hub_access_denied',
  'hub_answer_unusable',
  'hub_failed',
  'hub_file_not_found',
  'hub_repository_not_found',
  'hub_revision_not_found',
  'hub_unreachable',
  'invalid_url',
  'url_not_public',
] as const satisfies ErrorCode[];

/**
 * A host of file repositories: datasets, models, Spaces. Returns bytes and lists. The caller decides where
 * they go.
 */
export interface Hub {
  /** Returns the current commit of a revision. Throws the errors of `info`. */
  pin(repo: HubRepo, options?: HubOptions): Promise<string>;
  /**
   * Throws NotFound (also for a repository that this token can't see), Forbidden for a gated repository, and
   * HubBusy.
   */
  info(repo: HubRepo, options?: HubOptions): Promise<HubInfo>;
  /**
   * Lists the files at a commit, page by page; `cursor` continues after the page that returned it. A page may be empty.
   * Paths are untrusted, so the caller checks them before writing.
   */
  listFiles(
    repo: PinnedRepo,
    options?: HubOptions & { cursor?: string | undefined },
  ): AsyncIterable<HubFilePage>;
  /**
   * Returns the bytes of a file from `offset` on. The response may still start at 0, so check its `offset`. Throws the
   * errors of `info`, and HubBusy also while the bytes arrive.
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

interface HubOptions {
  signal?: AbortSignal | undefined;
}

export interface HubRange extends HubOptions {
  offset: number;
  /** The exclusive end of the range; by default the end of the file. */
  end?: number | undefined;
  /** The ETag of an earlier response for this file. With it, newer bytes can't complete an outdated start. */
  etag?: string | undefined;
}

export interface HubInfo {
  /** The current name: a renamed repository is returned under its new name. */
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
  /** The digest of the file's bytes. `git` is the hash of a git blob: `blob <size>\0` and the bytes. */
  digest: Digest | null;
}

export interface Digest {
  algorithm: 'sha256' | 'git';
  hex: string;
}

export interface HubBytes {
  offset: number;
  etag: string | undefined;
  /** The bytes. Read them to the end, or end the iterator with its `return`. */
  body: AsyncIterable<Buffer>;
}

/**
 * The hub, or the connection to it, currently fails but may recover: too many requests, 5xx, a broken or
 * silent connection.
 */
export class HubBusy extends Error {
  /**
   * How long the hub asks all clients with this token to wait, in milliseconds; undefined if only this
   * request failed.
   */
  readonly pauseMs: number | undefined;
  /** True if there was no response at all. */
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

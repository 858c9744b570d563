import type { FilePart } from './file-part.ts';

/**
 * Milliseconds for which a replaced version of a table is kept: longer than any function runs, so that no
 * reader uses a removed version.
 */
export const KEEP_VERSIONS_MS = 20 * 60_000;
/**
 * The same on a single host, whose readers use a version for seconds, and read again if it was removed in the
 * meantime. A shorter time saves disk space while users write.
 */
export const KEEP_VERSIONS_ON_HOST_MS = 60_000;

/**
 * The passages of one workspace with their vectors, for full-text search (keywords) and vector search
 * (semantic). Each workspace has one writer at a time (ensured by the lease of `asOnlyWriter`) and any number
 * of readers.
 */
export interface Vectors {
  /** Milliseconds for which `maintain` keeps a replaced version. */
  keepVersionsMs: number;
  /**
   * Returns the table of a workspace's passages as embedded by one model. `space` names the embedding and the
   * row layout (lib/passages/embedding-space.ts). Passages of different spaces never share a table.
   */
  open(workspaceId: string, space: string): Promise<PassageTable>;
  /** Removes the workspace's tables, except the named space. */
  drop(workspaceId: string, options?: { keepSpace?: string }): Promise<void>;
  /** Returns whether a table was created and not dropped, even if it has no rows. Doesn't open the table. */
  has(workspaceId: string, space: string): Promise<boolean>;
  /**
   * Removes the remains of a lost table, so that a new one can be created. If a table does exist, keeps it
   * and returns false.
   */
  clear(workspaceId: string, space: string): Promise<boolean>;
}

export interface PassageTable {
  /**
   * Writes the rows, and removes each file's rows from number `keepBelow` on (0 removes the file).
   * Idempotent. Makes one commit for up to 200 files.
   */
  write(rows: PassageRow[], trims: FileTrim[]): Promise<void>;
  /** Returns all rows of a file in order, with vectors, for copying the file. */
  rowsOf(path: string): Promise<PassageRow[]>;
  /** Yields every passage of one commit, in batches and in no particular order. Excludes later writes. */
  passages(): AsyncIterable<Passage[]>;
  /** Returns the best matches first. Scores are comparable only within one result. */
  searchText(query: string, limit: number, scope?: SearchScope): Promise<ScoredPassage[]>;
  searchVector(vector: Float32Array, limit: number, scope?: SearchScope): Promise<ScoredPassage[]>;
  count(): Promise<number>;
  /**
   * Returns the number of dimensions of the table's vectors; undefined before the first. A row whose vector
   * has another number is stored without it.
   */
  dimensions(): Promise<number | undefined>;
  /**
   * Updates the indexes and drops old versions. Takes minutes on a large table, so only a worker calls it. Returns
   * whether some versions are still too recent to be dropped.
   */
  maintain(): Promise<boolean>;
}

/** Limits a search to files by location and type. An absent field sets no limit. */
export interface SearchScope {
  /** Files and folders, including everything below them. */
  paths?: readonly string[] | undefined;
  /** Single files, exactly as they are indexed. */
  files?: readonly string[] | undefined;
  /** File extensions, in lower case and without a dot. */
  extensions?: readonly string[] | undefined;
}

export interface FileTrim {
  path: string;
  keepBelow: number;
}

/** Positions are in the source text (`source` of `Extracted`, lib/formats/extract.ts): lines from 1, inclusive; characters from 0, end exclusive. */
export interface Passage {
  /** The workspace of the file; present if several workspaces were searched. */
  workspaceId?: string;
  path: string;
  /** The passage's position in the file, from 0. */
  chunk: number;
  fileHash: string;
  text: string;
  startLine: number;
  endLine: number;
  startChar: number;
  endChar: number;
  part: FilePart;
  /** Text from above the passage in the file: title, headings, a table's header row. Empty if there is none. */
  context: string;
}

export interface PassageRow extends Passage {
  /** The embedding; null in the lexical space, and if embedding failed. */
  vector: Float32Array | null;
}

export interface ScoredPassage extends Passage {
  score: number;
}

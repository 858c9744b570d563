import type { FilePart } from './file-part.ts';

/**
 * How long a replaced version of a table stays: longer than any function runs, so that no reader still uses a removed
 * version.
 */
export const KEEP_VERSIONS_MS = 20 * 60_000;

/**
 * The passages of one workspace with their vectors: full-text search (keywords) and vector search (semantic). One writer at a
 * time per workspace (ensured by the lease of `asOnlyWriter`); any number of readers.
 */
export interface Vectors {
  /**
   * Returns the passages of a workspace as embedded by one model. `space` names the embedding and the row layout
   * (lib/passages/embedding-space.ts): passages of different spaces never share a table.
   */
  open(workspaceId: string, space: string): Promise<PassageTable>;
  /** Removes the workspace's tables, except the named space. */
  drop(workspaceId: string, options?: { keepSpace?: string }): Promise<void>;
  /** Returns whether a table was created there and not dropped, even if it has no rows, without opening it. */
  has(workspaceId: string, space: string): Promise<boolean>;
  /** Removes the remains of a lost table, so that a new one can be created. False if a table exists after all, which stays. */
  clear(workspaceId: string, space: string): Promise<boolean>;
}

export interface PassageTable {
  /** Writes the rows, and removes each file's rows from `keepBelow` on (0 removes the file). Idempotent; one commit for up to 200 files. */
  write(rows: PassageRow[], trims: FileTrim[]): Promise<void>;
  /** Returns all rows of a file in order, with vectors, for copying the file. */
  rowsOf(path: string): Promise<PassageRow[]>;
  /** Yields every passage of one commit, in batches and in no particular order; later writes aren't seen. */
  passages(): AsyncIterable<Passage[]>;
  /** Best first; a higher score is more relevant, comparable within one result only. */
  searchText(query: string, limit: number, scope?: SearchScope): Promise<ScoredPassage[]>;
  searchVector(vector: Float32Array, limit: number, scope?: SearchScope): Promise<ScoredPassage[]>;
  count(): Promise<number>;
  /**
   * Returns the dimensions of its vectors; undefined before the first. A row whose vector has other dimensions is stored
   * without it.
   */
  dimensions(): Promise<number | undefined>;
  /**
   * Updates the indexes and drops old versions. Takes minutes on a large table, so only a worker calls it. Returns whether versions
   * are left that are too young to be dropped.
   */
  maintain(): Promise<boolean>;
}

/** Limits a search to files by location and type; an absent field limits nothing. */
export interface SearchScope {
  /** Files, and folders with everything below them. */
  paths?: readonly string[] | undefined;
  /** File extensions, in lower case and without a dot. */
  extensions?: readonly string[] | undefined;
}

export interface FileTrim {
  path: string;
  keepBelow: number;
}

/** Positions are in the source text (`source` of `Extracted`, lib/formats/extract.ts): lines from 1, inclusive; characters from 0, end exclusive. */
export interface Passage {
  path: string;
  /** Its position in the file, from 0. */
  chunk: number;
  fileHash: string;
  text: string;
  startLine: number;
  endLine: number;
  startChar: number;
  endChar: number;
  part: FilePart;
  /** The text above it in the file: title, headings, a table's header row. Empty if there is none. */
  context: string;
}

export interface PassageRow extends Passage {
  /** Null in the lexical space, and if embedding failed. */
  vector: Float32Array | null;
}

export interface ScoredPassage extends Passage {
  score: number;
}

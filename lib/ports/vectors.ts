import type { FilePart } from './file-part.ts';

/**
 * The passages of one workspace with their vectors: full-text and vector search over them.
 * One writer at a time per workspace (the commit queue's FIFO group sees to it); any number of readers.
 */
export interface Vectors {
  /**
   * The passages of a workspace as embedded by one model. `space` names the embedding and how rows are laid out
   * (lib/passages/embedding-space.ts): passages of different spaces never share a table.
   */
  open(workspaceId: string, space: string): Promise<PassageTable>;
  /** Removes what the workspace holds, except the named space. */
  drop(workspaceId: string, options?: { keepSpace?: string }): Promise<void>;
  /** Whether rows were written there, and still are. It looks, and opens nothing. */
  has(workspaceId: string, space: string): Promise<boolean>;
  /** Makes way for a table: removes what is left of one that was lost. False where one is there after all, and stays. */
  clear(workspaceId: string, space: string): Promise<boolean>;
}

export interface PassageTable {
  /** One commit: writes the rows, and removes each file's rows from `keepBelow` on (0 removes the file). Harmless twice. */
  write(rows: PassageRow[], trims: FileTrim[]): Promise<void>;
  /** All rows of a file in order, with vectors: what a copy of the file needs. */
  rowsOf(path: string): Promise<PassageRow[]>;
  /** Every passage of one commit, in pieces and in no particular order; what is written meanwhile is not seen. */
  passages(): AsyncIterable<Passage[]>;
  /** Best first; score rises with relevance and is comparable within one answer only. */
  searchText(query: string, limit: number): Promise<ScoredPassage[]>;
  searchVector(vector: Float32Array, limit: number): Promise<ScoredPassage[]>;
  count(): Promise<number>;
  /**
   * The dimensions of the vectors that it holds; undefined before the first. A row whose vector has others is stored
   * without.
   */
  dimensions(): Promise<number | undefined>;
  /** Brings the indexes up to date and drops old versions. Minutes on a large table: only ever in a worker. */
  maintain(): Promise<void>;
}

export interface FileTrim {
  path: string;
  keepBelow: number;
}

/** Positions are of the source text (lib/indexing says which): lines from 1, inclusive; characters from 0, end exclusive. */
export interface Passage {
  path: string;
  /** Its place in the file, from 0. */
  chunk: number;
  fileHash: string;
  text: string;
  startLine: number;
  endLine: number;
  startChar: number;
  endChar: number;
  part: FilePart;
  /** What stands above it in the file: title, headings, a table's header row. Empty where there is nothing. */
  context: string;
}

export interface PassageRow extends Passage {
  /** Null in the lexical space, and where embedding failed. */
  vector: Float32Array | null;
}

export interface ScoredPassage extends Passage {
  score: number;
}

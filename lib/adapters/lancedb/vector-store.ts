/** Where LanceDB finds a table: the URL to connect to, and the table's name there. */
export interface TablePlace {
  address: string;
  name: string;
}

/**
 * The storage of LanceDB's tables of all workspaces. The port is `Vectors` in lib/ports/vectors.ts. LanceDB
 * itself would create the folder of a missing table.
 */
export interface VectorStore {
  /** Options for LanceDB's access to the store. */
  storeOptions: Record<string, string>;
  /**
   * Returns the table of a space, if it exists. A table that was dropped and created again has another
   * identity.
   */
  find(workspaceId: string, space: string): Promise<(TablePlace & { identity: string }) | undefined>;
  /** Returns where the table of a space is, or will be created. */
  place(workspaceId: string, space: string): Promise<TablePlace>;
  /**
   * Removes a workspace's tables, except those of one space. Idempotent; also finishes an interrupted
   * removal.
   */
  drop(workspaceId: string, keepSpace?: string): Promise<void>;
  /** Returns whether the space has a table that isn't empty. */
  has(workspaceId: string, space: string): Promise<boolean>;
  /** Removes leftovers from a table's place. Returns false if the place has a table. */
  clear(workspaceId: string, space: string): Promise<boolean>;
}

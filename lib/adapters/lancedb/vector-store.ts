/** Where LanceDB finds a table: the address to connect to, and the table's name there. */
export interface TablePlace {
  address: string;
  name: string;
}

/**
 * The storage of LanceDB's tables of all workspaces, not the port (`Vectors` in lib/ports/vectors.ts). LanceDB itself
 * would create a missing table's folder.
 */
export interface VectorStore {
  /** Options for LanceDB's access to the store. */
  storeOptions: Record<string, string>;
  /** Returns the table of a space, if it exists. A table that was dropped and created again has another identity. */
  find(workspaceId: string, space: string): Promise<(TablePlace & { identity: string }) | undefined>;
  /** Returns where the table of a space is, or will be created. */
  place(workspaceId: string, space: string): Promise<TablePlace>;
  /** Removes a workspace's tables, except for one space. Idempotent; also finishes an interrupted removal. */
  drop(workspaceId: string, keepSpace?: string): Promise<void>;
  /** Returns whether the space has a table that isn't empty. */
  has(workspaceId: string, space: string): Promise<boolean>;
  /** Removes leftovers in a table's place; returns false if there is a table. */
  clear(workspaceId: string, space: string): Promise<boolean>;
}

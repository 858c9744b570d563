/** A table as LanceDB finds it: what it connects to, and the table's name there. */
export interface TablePlace {
  address: string;
  name: string;
}

/**
 * The place of LanceDB's tables of all workspaces, not the port (that is `Vectors` in lib/ports/vectors.ts). LanceDB itself would
 * create the folder of a missing table.
 */
export interface VectorStore {
  /** Options for LanceDB's access to the store. */
  storeOptions: Record<string, string>;
  /** The table of a space, if one was made. One that was dropped and made again has another identity. */
  find(workspaceId: string, space: string): Promise<(TablePlace & { identity: string }) | undefined>;
  /** Where the table of a space is, or is to be made. */
  place(workspaceId: string, space: string): Promise<TablePlace>;
  /** Removes a workspace's tables, except for one space. Idempotent, and finishes what was interrupted. */
  drop(workspaceId: string, keepSpace?: string): Promise<void>;
  /** Whether a table of the space is there, and holds anything. */
  has(workspaceId: string, space: string): Promise<boolean>;
  /** Removes whatever is in the place of a table but isn't one; false if there is a table. */
  clear(workspaceId: string, space: string): Promise<boolean>;
}

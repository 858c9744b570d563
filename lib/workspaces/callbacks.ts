import type { Records } from '../ports/records.ts';

/** Called with the written, moved, or removed files and folders of a workspace, so that indexes can be updated. */
export type FilesChanged = (workspaceId: string, paths: string[]) => Promise<void>;

/** Removes the records that an area stores for a deleted workspace. Idempotent. */
export type DropOfWorkspace = (records: Records, workspaceId: string) => Promise<void>;

import type { Records } from '../ports/records.ts';

/** Called with files and folders of a workspace that were written, moved, or removed, so that indexes can be updated. */
export type FilesChanged = (workspaceId: string, paths: string[]) => Promise<void>;

/** Removes what an area stores for a deleted workspace. Idempotent. */
export type DropOfWorkspace = (records: Records, workspaceId: string) => Promise<void>;

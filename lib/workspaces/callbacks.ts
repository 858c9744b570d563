import type { Records } from '../ports/records.ts';

/**
 * Called with files and folders of a workspace that were written, moved or removed. Whoever keeps an index of them looks
 * again.
 */
export type FilesChanged = (workspaceId: string, paths: string[]) => Promise<void>;

/** Removes what an area keeps for a workspace that goes away. Harmless twice. */
export type DropOfWorkspace = (records: Records, workspaceId: string) => Promise<void>;

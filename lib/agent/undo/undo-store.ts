import { join } from 'node:path';
import { KeptRun } from './kept-run.ts';
import { WORKSPACE_COPY } from './kept-space.ts';
import { WorkspaceCopy } from './workspace-copy.ts';

/** Where the earlier contents of changed files are stored, in a folder that no command can access. */
export interface UndoStore {
  folder: string;
  /** Has the index read the paths that an undo changed. */
  changed(workspaceId: string, paths: string[]): Promise<void>;
}

/** The fields of a workspace that an undo needs. */
export interface Place {
  id: string;
  rootPath: string;
}

/**
 * The maximum number of copies whose entries stay in memory. The entries for 50,000 files take about 20 MB.
 */
const MOST_COPIES = 4;
const workspaceCopies = new Map<string, WorkspaceCopy>();

export function openKept({ folder }: UndoStore, workspaceId: string, runId: string): Promise<KeptRun> {
  return KeptRun.open(join(folder, workspaceId, runId));
}

/** Returns the process's only copy of a workspace, which knows the running commands. */
export function workspaceCopyOf(store: UndoStore, { id, rootPath }: Place): WorkspaceCopy {
  const folder = join(store.folder, id, WORKSPACE_COPY);
  const copy =
    workspaceCopies.get(folder) ?? new WorkspaceCopy(folder, rootPath, (runId) => openKept(store, id, runId));
  workspaceCopies.delete(folder);
  workspaceCopies.set(folder, copy);
  for (const [other, { isBusy }] of workspaceCopies)
    if (workspaceCopies.size > MOST_COPIES && !isBusy && other !== folder) workspaceCopies.delete(other);
  return copy;
}

/** Forgets a copy that was removed from disk, so that it is read again. */
export function forgetWorkspaceCopy({ folder }: UndoStore, workspaceId: string): void {
  workspaceCopies.delete(join(folder, workspaceId, WORKSPACE_COPY));
}

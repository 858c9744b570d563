import { join } from 'node:path';
import { KeptRun } from './kept-run.ts';
import { WORKSPACE_COPY } from './kept-space.ts';
import { WorkspaceCopy } from './workspace-copy.ts';

/** Where the earlier contents of changed files are kept: a folder that no command sees. */
export interface UndoStore {
  folder: string;
  /** Has the index look at paths that an undo changed. */
  changed(workspaceId: string, paths: string[]): Promise<void>;
}

/** A workspace, as far as an undo needs it. */
export interface Place {
  id: string;
  rootPath: string;
}

/** Copies whose entries stay in memory: those of 50,000 files take about 20 MB. */
const MOST_COPIES = 4;
const workspaceCopies = new Map<string, WorkspaceCopy>();

export function openKept({ folder }: UndoStore, workspaceId: string, runId: string): Promise<KeptRun> {
  return KeptRun.open(join(folder, workspaceId, runId));
}

/** One per process: it knows which commands work now. */
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

/** A copy that was removed from the disk is read again. */
export function forgetWorkspaceCopy({ folder }: UndoStore, workspaceId: string): void {
  workspaceCopies.delete(join(folder, workspaceId, WORKSPACE_COPY));
}

import { join } from 'node:path';
import { noteFolderTimes } from './folder-times.ts';
import { SHADOW } from './kept-limits.ts';
import { KeptRun } from './kept-run.ts';
import { WorkspaceCopy } from './shadow.ts';

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

/** Manifests that stay in memory: that of 50,000 files takes about 20 MB. */
const MOST_SHADOWS = 4;
const shadows = new Map<string, WorkspaceCopy>();

export function openKept({ folder }: UndoStore, workspaceId: string, runId: string): Promise<KeptRun> {
  return KeptRun.open(join(folder, workspaceId, runId));
}

/** One per process: it knows which commands work now. */
export function shadowOf(store: UndoStore, { id, rootPath }: Place): WorkspaceCopy {
  const folder = join(store.folder, id, SHADOW);
  const shadow =
    shadows.get(folder) ?? new WorkspaceCopy(folder, rootPath, (runId) => openKept(store, id, runId));
  shadows.delete(folder);
  shadows.set(folder, shadow);
  for (const [other, { isBusy }] of shadows)
    if (shadows.size > MOST_SHADOWS && !isBusy && other !== folder) shadows.delete(other);
  return shadow;
}

/** A copy that was removed from the disk is read again. */
export function forgetShadow({ folder }: UndoStore, workspaceId: string): void {
  shadows.delete(join(folder, workspaceId, SHADOW));
}

/** Makes a change of these paths, which no command that works at the time is held responsible for. */
export function changeAside<Result>(
  store: UndoStore,
  place: Place,
  paths: string[],
  make: () => Promise<Result>,
): Promise<Result> {
  const shadow = shadows.get(join(store.folder, place.id, SHADOW));
  const noted = () => noteFolderTimes(place.rootPath, paths, make);
  return shadow?.isBusy ? shadow.aside(paths, noted) : noted();
}

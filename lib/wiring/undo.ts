import { join } from 'node:path';
import type { UndoStore } from '../agent/undo/undo-store.ts';
import type { Config } from '../config.ts';
import { type TouchPorts, touchChanged } from '../indexing/enqueue.ts';

/** Returns the folder for undo data of runs; on AWS, it's on the file system shared by functions with files. */
export function undoFolder({ dataDir }: Config): string {
  return join(dataDir, 'undo');
}

export function undoStore(config: Config, ports: TouchPorts): UndoStore {
  return {
    folder: undoFolder(config),
    changed: (workspaceId, paths) => touchChanged(ports, workspaceId, paths),
  };
}

import { join } from 'node:path';
import { keeperOf } from '../../lib/agent/undo/keeper.ts';
import { keepFolder } from '../../lib/agent/undo/kept-folders.ts';
import { runChanges, undoRun } from '../../lib/agent/undo/undo.ts';
import { forgetWorkspaceCopy, openKept, workspaceCopyOf } from '../../lib/agent/undo/undo-store.ts';
import type { ChangeKeeper } from '../../lib/ports/commands.ts';
import { MEMBER, startAgentRig } from './agent.ts';

/** Opens finished runs, their stored contents, and their undo, as the routes call it. */
export async function startUndoRig() {
  const rig = await startAgentRig();
  const { ports, workspace } = rig;
  const { undo: store } = ports;
  const keepers = new Map<string, ChangeKeeper>();
  /** One keeper per run, as in the run's process. */
  const keeper = (runId: string) => {
    const begin = (name: string) => keepFolder(ports, workspace.id, name);
    const one = keepers.get(runId) ?? keeperOf(store, workspace, runId, begin);
    keepers.set(runId, one);
    return one;
  };
  return {
    ...{ ports, store, workspace, keeper },
    root: workspace.rootPath,
    at: (path: string) => join(workspace.rootPath, path),
    /**
     * Returns the folder in which data of the run, or of the copy of the workspace (`workspace`), is kept.
     */
    keptAt: (name: string, path = '') => join(store.folder, workspace.id, name, path),
    kept: (runId: string) => openKept(store, workspace.id, runId),
    endedRun: async () => (await rig.ask()).run.id,
    /** Makes changes as a command of the run does, and waits until they are stored. */
    async command(runId: string, change: () => unknown): Promise<void> {
      await keeper(runId).around('./changes', async () => void (await change()));
      await workspaceCopyOf(store, workspace).recover();
    },
    changes: (runId: string) => runChanges(ports, MEMBER, runId),
    undo: (runId: string, fields: { paths?: string[]; force?: boolean } = {}) =>
      undoRun(ports, MEMBER, runId, { force: false, ...fields }, 60_000),
    /** Does the same as a restart of the service. */
    restart: () => forgetWorkspaceCopy(store, workspace.id),
  };
}

/** Returns the effect of an undo on each path. */
export function undoByPath({ files }: Awaited<ReturnType<typeof runChanges>>): Record<string, string> {
  return Object.fromEntries(files.map(({ path, undo }) => [path, undo]));
}

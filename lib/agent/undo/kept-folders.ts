import { join } from 'node:path';
import { type CallPorts, callWorkers } from '../../leases/due.ts';
import { removeTree } from '../../paths/remove-tree.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { dropPartition } from '../../records/drop-partition.ts';
import { KEEP_RUN_SECONDS } from '../../runs/schema.ts';
import { WORKSPACE_COPY } from './kept-space.ts';
import { keptFolders, keptPartition, UNDO_DUE } from './schema.ts';
import { forgetWorkspaceCopy, type UndoStore } from './undo-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The time in milliseconds after which a lost message is sent again. */
const AGAIN_MS = 60 * 60 * 1000;

/** Records that a folder must be kept for as long as runs are kept. Writes at most once per day. */
export async function keepFolder(
  { records, clock }: TimedRecords,
  workspaceId: string,
  name: string,
): Promise<void> {
  const known = await keptFolders.get(records, { workspaceId, name });
  const left = known === undefined ? 0 : Date.parse(known.until) - clock.now();
  if (left > KEEP_RUN_SECONDS * 1000 - DAY_MS) return;
  await keptFolders.put(records, { workspaceId, name, until: timestamp(clock, KEEP_RUN_SECONDS * 1000) });
}

/** Runs every minute. A worker removes the expired folders, because only workers can access the files. */
export function sweepKept(ports: CallPorts): Promise<void> {
  return callWorkers(ports, {
    collection: keptFolders,
    partition: UNDO_DUE,
    againMs: AGAIN_MS,
    messageOf: ({ workspaceId, name }) => ({ runId: name, undoOf: workspaceId }),
    failure: 'a kept folder could not be swept',
    about: ({ workspaceId, name }) => ({ workspaceId, name }),
  });
}

/**
 * For the worker: removes the undo data of a run, or a copy of a workspace, unless it was used in the
 * meantime.
 */
export async function dropKept(
  { records, clock, undo }: TimedRecords & { undo: UndoStore },
  workspaceId: string,
  name: string,
): Promise<void> {
  const record = await keptFolders.get(records, { workspaceId, name });
  if (record === undefined) return;
  if (Date.parse(record.until) > clock.now() + 2 * AGAIN_MS) return;
  if (name === WORKSPACE_COPY) forgetWorkspaceCopy(undo, workspaceId);
  await removeTree(join(undo.folder, workspaceId, name));
  await keptFolders.delete(records, record);
}

/** Removes all undo data of a deleted workspace at once. */
export function dropUndo(folder: string): (records: Records, workspaceId: string) => Promise<void> {
  return async (records, workspaceId) => {
    await removeTree(join(folder, workspaceId));
    await dropPartition(records, keptPartition(workspaceId));
  };
}

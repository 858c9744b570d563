import { type Caller, requireRole } from '../../access/caller.ts';
import { callerIn } from '../../access/members.ts';
import { recordActivity } from '../../activity/record.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { Conflict, NotFound } from '../../errors.ts';
import { log } from '../../log.ts';
import { foldersOf } from '../../paths/entry-path.ts';
import { withPathLock } from '../../paths/path-lock.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { changeRun, findRun, RUN_ERRORS } from '../../runs/runs.ts';
import { type ChangeCounts, isRunOver, type Run, runs } from '../../runs/schema.ts';
import { pluralize } from '../../text/pluralize.ts';
import { findWorkspace } from '../../workspaces/access.ts';
import { gitFolderOf } from './git-folders.ts';
import type { Change, JournalLine, KeptRun } from './kept-run.ts';
import { describeRunChanges, readChanges } from './run-changes.ts';
import { type ChangedFile, keptFolders, type UndoBody } from './schema.ts';
import { undoChanges } from './undo-run.ts';
import { openKept, type Place, type UndoStore, workspaceCopyOf } from './undo-store.ts';

/** The error codes of an undo. */
export const UNDO_ERRORS = [
  ...RUN_ERRORS,
  'path_not_found',
  'run_in_progress',
] as const satisfies ErrorCode[];

/** The maximum number of files in a response. */
const MAX_FILES = 5000;

export interface UndoPorts extends TimedRecords {
  undo: UndoStore;
}

/** Returns the changes of a run in its workspace, for a caller who may read the workspace. */
export async function runChanges(ports: UndoPorts, caller: Caller, runId: string) {
  const { run, workspace } = await findPlace(ports, caller, runId);
  const kept = await readKept(ports, run, workspace);
  return describe(ports.records, run, kept, await readChanges(workspace.rootPath, kept));
}

/**
 * Undoes a finished run, or some of its paths, for a caller who may write files of the workspace. Idempotent. Throws
 * Conflict while the run is active.
 */
export async function undoRun(
  ports: UndoPorts,
  caller: Caller,
  runId: string,
  { paths, force }: UndoBody,
  timeLeftMs: number,
) {
  const { run, workspace } = await findPlace(ports, caller, runId);
  requireRole(callerIn(caller, workspace), 'member');
  if (!isRunOver(run.status))
    throw new Conflict('run_in_progress', 'This run is still in progress. Stop it, or wait until it ends.');
  const until = performance.now() + timeLeftMs;
  await workspaceCopyOf(ports.undo, workspace).waitForEnd(run.id);
  const kept = await readKept(ports, run, workspace);
  return withPathLock(`undo run ${run.id}`, async () => {
    const changes = await readChanges(workspace.rootPath, kept);
    const wanted = await select(changes, paths);
    const undo = {
      root: workspace.rootPath,
      kept,
      force,
      mayGoOn: () => performance.now() < until,
      change: <Result>(path: string, make: () => Promise<Result>) =>
        workspaceCopyOf(ports.undo, workspace).change([path], make),
    };
    const changed = await undoChanges(undo, wanted).catch(async (error: unknown) => {
      // The index must be notified even after an error, because some paths may have been undone.
      await ports.undo.changed(
        workspace.id,
        wanted.map(({ path }) => path),
      );
      throw error;
    });
    const current = await readChanges(workspace.rootPath, kept);
    await noteDone(ports, kept, { wanted, current });
    if (changed.length > 0) await tell(ports, caller, run, changed);
    const counts = countAll(await describeRunChanges(current));
    await runs.update(ports.records, { id: run.id }, { set: { changes: counts } });
    return describe(ports.records, run, kept, current);
  });
}

/**
 * Stores the number of changes with a run of this process. Otherwise, lists show the run without a number.
 */
export async function storeChangeCounts(
  ports: UndoPorts,
  { id, owner, changes }: Run,
  workspace: Place,
): Promise<void> {
  try {
    await workspaceCopyOf(ports.undo, workspace).recover();
    await withPathLock(`undo run ${id}`, async () => {
      const kept = await openKept(ports.undo, workspace.id, id);
      const files = await describeRunChanges(await readChanges(workspace.rootPath, kept));
      if (files.length > 0 || changes !== null)
        await changeRun(ports.records, id, { changes: countAll(files) }, { owner });
    });
  } catch (error) {
    log.warn('the changes of a run were not counted', { runId: id, reason: String(error) });
  }
}

async function tell(
  ports: UndoPorts,
  caller: Caller,
  { id, workspaceId }: Run,
  changed: string[],
): Promise<void> {
  const summary = `Undid ${pluralize(changed.length, 'change')} of an agent run`;
  await Promise.all([
    ports.undo.changed(workspaceId, changed),
    recordActivity(ports, {
      ...{ workspaceId, kind: 'agent_run', actor: caller.id, summary },
      details: { runId: id, undone: changed.length },
    }),
  ]);
}

async function findPlace(ports: UndoPorts, caller: Caller, runId: string) {
  const run = await findRun(ports.records, caller, runId);
  return { run, workspace: await findWorkspace(ports.records, caller, run.workspaceId) };
}

/**
 * Returns the undo data of a run. For an active run, returns the data stored so far, without waiting for its
 * looks at the workspace.
 */
async function readKept({ undo }: UndoPorts, { id, status }: Run, workspace: Place): Promise<KeptRun> {
  if (isRunOver(status)) await workspaceCopyOf(undo, workspace).recover();
  return openKept(undo, workspace.id, id);
}

/**
 * Selects a moved file by its new path, together with its old one. A file selects the folders that it was in,
 * or its whole `.git`.
 */
async function select(changes: Change[], paths: string[] | undefined): Promise<Change[]> {
  if (paths === undefined) return changes;
  const described = new Map((await describeRunChanges(changes)).map((file) => [file.path, file]));
  const named = new Set<string>();
  for (const path of paths) {
    const file = described.get(path.replace(/\/+$/, ''));
    if (file === undefined)
      throw new NotFound('path_not_found', 'paths must name paths that the run changed.', {
        field: 'paths',
      });
    for (const one of [file.path, file.from]) if (one !== undefined) named.add(one);
  }
  const gitFolders = new Set([...named].map(gitFolderOf));
  gitFolders.delete(undefined);
  const folders = new Set([...named].flatMap(foldersOf));
  return changes.filter(
    ({ path, change }) =>
      named.has(path) || gitFolders.has(gitFolderOf(path)) || (change === 'deleted' && folders.has(path)),
  );
}

/**
 * Stores which of the wanted paths are undone now. The `current` changes share their entries with the run, so
 * they show it too.
 */
async function noteDone(
  { clock }: UndoPorts,
  kept: KeptRun,
  { wanted, current }: { wanted: Change[]; current: Change[] },
): Promise<void> {
  const names = new Set(wanted.map(({ path }) => path));
  const at = Date.parse(timestamp(clock));
  const lines: JournalLine[] = [];
  for (const { path, undo, kept: known } of current)
    if (names.has(path) && undo === 'done' && known.undoneAt === undefined)
      lines.push({ is: 'undone', path, at });
  if (lines.length > 0) await kept.write(lines);
}

async function describe(records: Records, run: Run, kept: KeptRun, changes: Change[]) {
  const files = await describeRunChanges(changes);
  const record = await keptFolders.get(records, { workspaceId: run.workspaceId, name: run.id });
  const { undone: _undone, ...counts } = countAll(files);
  const undoneAt = Math.max(0, ...changes.map(({ kept }) => kept.undoneAt ?? 0));
  return {
    files: files.slice(0, MAX_FILES),
    counts,
    complete: !kept.isIncomplete,
    keptUntil: record?.until ?? null,
    undoneAt: undoneAt === 0 ? null : new Date(undoneAt).toISOString(),
  };
}

function countAll(all: ChangedFile[]): ChangeCounts {
  const files = all.filter(({ type }) => type !== 'directory');
  const countOf = (change: ChangedFile['change']) => files.filter((file) => file.change === change).length;
  return {
    created: countOf('created'),
    changed: countOf('changed'),
    deleted: countOf('deleted'),
    moved: countOf('moved'),
    undone: files.filter(({ undo }) => undo === 'done').length,
  };
}

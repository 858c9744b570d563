import type { Caller } from '../access/caller.ts';
import { Conflict, Forbidden, NotConfigured, NotFound, OverBudget } from '../errors.ts';
import { isRunning, syncs } from '../indexing/schema.ts';
import { type CallPorts, callWorkers } from '../leases/due.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { change } from '../records/change.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { runUsage } from '../runs/run-usage.ts';
import { isRunOver } from '../runs/schema.ts';
import { requireRights } from '../tokens/rights.ts';
import { guardedPlaceOf } from '../workspaces/access.ts';
import { beginTableRun, runOf } from './begin.ts';
import { readContents } from './contents.ts';
import { indexStamp, pathsMatching } from './documents.ts';
import { plannedCalls } from './estimate.ts';
import { putRows, reserveRows, roomIn, rowsAt } from './rows.ts';
import { type EvidenceTable, FOLLOW_MS, FOLLOWED, followedTables, tables } from './schema.ts';

/** Runs every minute: calls a worker for the tables whose new documents are read by themselves. */
export function sweepFollowed(ports: CallPorts): Promise<void> {
  return callWorkers(ports, {
    collection: followedTables,
    partition: FOLLOWED,
    againMs: FOLLOW_MS,
    messageOf: ({ tableId }) => ({ runId: '', followed: tableId }),
    failure: 'a followed table could not be swept',
    about: ({ tableId }) => ({ tableId }),
  });
}

/**
 * Adds the new documents of a followed table, and starts a run for them: after a sync has ended, if no run reads the
 * table, and not before a person has started all of its rows. Without rights, the table is no longer followed.
 */
export async function followTable(ports: BeginPorts, tableId: string): Promise<void> {
  const { records, clock } = ports;
  const [followed, table] = await Promise.all([
    followedTables.get(records, { tableId }),
    tables.get(records, { id: tableId }),
  ]);
  if (followed === undefined) return;
  if (!table?.follower) return void (await followedTables.delete(records, { tableId }));
  const stamp = await indexStamp(records, table.workspaceId);
  if (!table.restStarted || stamp === followed.stamp || (await isBusy(ports, table))) return;
  try {
    await readNew(ports, table.follower, table);
    await followedTables.patch(records, followed, { stamp, until: timestamp(clock, FOLLOW_MS) }, {});
  } catch (error) {
    if (LATER.some((kind) => error instanceof kind)) return; // the next look tries again
    if (!(error instanceof Forbidden || error instanceof NotFound)) throw error;
    await change(tables, records, { id: tableId }, (before) => before && { follower: null });
    await followedTables.delete(records, { tableId });
  }
}

const LATER = [Conflict, NotConfigured, OverBudget];

async function isBusy({ records }: BeginPorts, table: EvidenceTable): Promise<boolean> {
  const sync = await syncs.get(records, { workspaceId: table.workspaceId });
  const run = await runOf(records, table);
  return (sync !== undefined && isRunning(sync.status)) || (run !== undefined && !isRunOver(run.status));
}

/**
 * Adds nothing if no run can start now. Starts one also for rows that an earlier look added, because its process may
 * have died before its run.
 */
async function readNew(ports: BeginPorts, caller: Caller, table: EvidenceTable): Promise<void> {
  const { id, workspaceId, glob } = table;
  await requireRights(ports, caller, 'member', await guardedPlaceOf(ports.records, workspaceId));
  await ports.openModel(runUsage({ caller, workspaceId })).admit?.();
  const now = await addNew(ports.records, id, await pathsMatching(ports.records, workspaceId, glob ?? ''));
  if (now === undefined) return;
  const calls = plannedCalls(now, await readContents(ports.records, now), 'new');
  if (calls.length > 0) await beginTableRun(ports, caller, now, { scope: 'new' });
}

/** Adds documents that the table never had. Those beyond the limit of rows are left out. */
async function addNew(records: Records, id: string, paths: string[]): Promise<EvidenceTable | undefined> {
  const known = new Set((await rowsAt(records, id, paths)).map(({ path }) => path));
  const unknown = paths.filter((path) => !known.has(path));
  let added: string[] = [];
  const changed = await change(tables, records, { id }, async (before) => {
    if (before === undefined) return undefined;
    added = unknown.slice(0, await roomIn(records, before, unknown.length));
    return reserveRows(records, before, added.length);
  });
  if (changed !== undefined && added.length > 0) await putRows(records, changed, added);
  return changed;
}

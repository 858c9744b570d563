import type { Caller } from '../access/caller.ts';
import { Forbidden, NotConfigured, NotFound, OverBudget } from '../errors.ts';
import { isRunning, syncs } from '../indexing/schema.ts';
import { type CallPorts, callWorkers } from '../leases/due.ts';
import { timestamp } from '../ports/clock.ts';
import { change } from '../records/change.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { runUsage } from '../runs/run-usage.ts';
import { isRunOver } from '../runs/schema.ts';
import { requireRights } from '../tokens/rights.ts';
import { guardedPlaceOf } from '../workspaces/access.ts';
import { beginTableRun, runOf } from './begin.ts';
import { indexStamp, pathsMatching } from './documents.ts';
import { type EvidenceTable, FOLLOWED, followedTables, tables } from './schema.ts';
import { addPaths } from './tables.ts';

/** Milliseconds between two looks at a followed table. A look at an unchanged index reads four records. */
const AGAIN_MS = 2 * 60_000;

/** Runs every minute: calls a worker for the tables whose new documents are read by themselves. */
export function sweepFollowed(ports: CallPorts): Promise<void> {
  return callWorkers(ports, {
    collection: followedTables,
    partition: FOLLOWED,
    againMs: AGAIN_MS,
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
  if (followed === undefined || !table?.follower || table.scope !== 'all') return;
  const stamp = await indexStamp(records, table.workspaceId);
  if (stamp === followed.stamp || (await isBusy(ports, table))) return;
  try {
    await addNew(ports, table.follower, table);
    await followedTables.patch(records, followed, { stamp, until: timestamp(clock, AGAIN_MS) }, {});
  } catch (error) {
    if (error instanceof OverBudget || error instanceof NotConfigured) return; // the next look tries again
    if (!(error instanceof Forbidden || error instanceof NotFound)) throw error;
    await change(tables, records, { id: tableId }, (before) => before && { follower: null });
    await followedTables.delete(records, { tableId });
  }
}

async function isBusy({ records }: BeginPorts, table: EvidenceTable): Promise<boolean> {
  const sync = await syncs.get(records, { workspaceId: table.workspaceId });
  const run = await runOf(records, table);
  return (sync !== undefined && isRunning(sync.status)) || (run !== undefined && !isRunOver(run.status));
}

/** Adds nothing if no run can start now. Documents beyond the limit of rows are left out. */
async function addNew(ports: BeginPorts, caller: Caller, table: EvidenceTable): Promise<void> {
  const { id, workspaceId, glob } = table;
  await requireRights(ports, caller, 'member', await guardedPlaceOf(ports.records, workspaceId));
  await ports.openModel(runUsage({ caller, workspaceId })).admit?.();
  const paths = await pathsMatching(ports.records, workspaceId, glob ?? '');
  if ((await addPaths(ports.records, table, paths, { mayFill: true })) === 0) return;
  const now = await tables.get(ports.records, { id });
  if (now !== undefined) await beginTableRun(ports, caller, now, { scope: 'all' });
}

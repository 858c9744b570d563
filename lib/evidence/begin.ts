import type { Caller } from '../access/caller.ts';
import { oneLine } from '../activity/record.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict } from '../errors.ts';
import { firstIdOf, newId } from '../identifiers.ts';
import { expiryAfter } from '../ports/clock.ts';
import { MODEL_ADMISSION_ERRORS } from '../ports/language-model.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { change } from '../records/change.ts';
import { callAgentWorker } from '../runs/approvals.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { runUsage } from '../runs/run-usage.ts';
import { createRun } from '../runs/runs.ts';
import { isRunOver, KEEP_RUN_SECONDS, type Run, runs } from '../runs/schema.ts';
import { readContents } from './contents.ts';
import { estimateCalls, plannedCalls } from './estimate.ts';
import type { StartedTable } from './request-schema.ts';
import { dropTable, type EvidenceTable, type TableScope, tableRuns, tables } from './schema.ts';

/** The error codes of a run of a table that can't start. */
export const BEGIN_TABLE_ERRORS = [
  ...MODEL_ADMISSION_ERRORS,
  'concurrent_changes',
  'evidence_table_running',
] as const satisfies ErrorCode[];

const MAX_NAME_SHOWN = 200;

/**
 * Starts a run that reads the missing cells of a table, for a worker. The table names the run before it exists: if this
 * process dies in between, the table has no run, and can start another. Throws Conflict, NotConfigured, OverBudget.
 */
export async function beginTableRun(
  ports: BeginPorts,
  caller: Caller,
  table: EvidenceTable,
  { scope, budget = table.budget }: { scope: TableScope; budget?: EvidenceTable['budget'] | undefined },
): Promise<StartedTable> {
  const { id: tableId, workspaceId, name } = table;
  const model = ports.openModel(runUsage({ caller, workspaceId }));
  await model.admit?.();
  const runId = newId();
  const contents = await readContents(ports.records, table);
  const calls = plannedCalls(table, contents, scope);
  const begun = await change(tables, ports.records, { id: tableId }, async (before) => {
    if (before === undefined) return undefined;
    await requireTableIdle(ports, before);
    return { runId, scope, budget, ...(scope === 'all' && { restStarted: true }) };
  });
  if (begun === undefined) {
    await dropTable(ports.records, tableId); // its rows may have been stored after the deletion
    throw new Conflict('concurrent_changes', 'The table was deleted. Create it again.');
  }
  await tableRuns.put(ports.records, {
    runId,
    tableId,
    scope,
    expiresAt: expiryAfter(ports.clock, KEEP_RUN_SECONDS),
  });
  await createRun(ports, {
    ...{ id: runId, kind: 'table', parked: true, workspaceId, mode: 'agent', caller, cwd: '' },
    ...{ provider: model.provider, model: model.model, allowedTools: null },
    request: oneLine(name, MAX_NAME_SHOWN),
  });
  await callAgentWorker(ports, runId);
  return { tableId, runId, estimate: estimateCalls(calls, contents, model.model, ports.prices) };
}

/** Returns the latest run of a table; undefined if it doesn't exist any longer, or never did. */
export async function runOf(records: Records, { runId }: EvidenceTable): Promise<Run | undefined> {
  return runId === null ? undefined : runs.get(records, { id: runId });
}

/** Milliseconds after which a run that its table names, but that doesn't exist, was never created. */
const UNBORN_MS = 10_000;

/** Throws Conflict while a run reads the table, or is about to. */
export async function requireTableIdle(
  { records, clock }: TimedRecords,
  table: EvidenceTable,
): Promise<void> {
  const run = await runOf(records, table);
  const isBusy =
    run === undefined ? (table.runId ?? '') > firstIdOf(clock.now() - UNBORN_MS) : !isRunOver(run.status);
  if (isBusy)
    throw new Conflict(
      'evidence_table_running',
      'The table is being read. Wait until the run is over, or stop it.',
    );
}

import { NotFound, ServiceError, UpstreamFailed } from '../errors.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { change } from '../records/change.ts';
import { continueParkedRun } from '../runs/continue-parked.ts';
import { runUsage } from '../runs/run-usage.ts';
import type { Run } from '../runs/schema.ts';
import { HAND_OVER_MS, openLimits } from '../runs/steps/limits.ts';
import { finishPart, type OpenedRun, storedWork, usageOf } from '../runs/steps/stored-work.ts';
import { workOnAll } from '../runs/steps/work-on-all.ts';
import type { RunWork, WorkOutcome } from '../runs/work-on-run.ts';
import { findWorkspace } from '../workspaces/access.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { columnHash, readContents, shortHash } from './contents.ts';
import { type Call, plannedCalls } from './estimate.ts';
import type { ReadTablePorts } from './ports.ts';
import { type CellResult, failedCell } from './read-cell.ts';
import { NotReadable, readColumns, type TableReader } from './read-document.ts';
import {
  documentRows,
  dropTable,
  type EvidenceTable,
  readings,
  type TableScope,
  tableRuns,
  tables,
} from './schema.ts';

const CALLS_AT_ONCE = 4;
/** Calls that fail in a row before the run ends: the model, not a document, is then at fault. */
const MAX_FAILED_IN_A_ROW = 5;
/** Stands for the hash of a document that isn't in the index. Its cells all failed for the same reason. */
const NOT_INDEXED = 'none';

interface TableJob {
  run: Run;
  table: EvidenceTable;
  scope: TableScope;
  workspace: Workspace;
}

interface Filling extends TableReader {
  table: EvidenceTable;
  progress: { done: number; total: number };
  failedInARow: number;
}

/** Continues a suspended run of a table in the worker until its next stop. */
export function continueTable(ports: ReadTablePorts, runId: string, timeLeftMs: number): Promise<void> {
  return continueParkedRun(ports, runId, async (run) =>
    tableWork(ports, await findJob(ports, run), timeLeftMs),
  );
}

async function findJob({ records }: ReadTablePorts, run: Run): Promise<TableJob> {
  const [workspace, wanted] = await Promise.all([
    findWorkspace(records, run.rightsOf ?? run.caller, run.workspaceId),
    tableRuns.get(records, { runId: run.id }),
  ]);
  const { tableId, scope } = wanted ?? { tableId: '', scope: 'all' };
  return { run, workspace, scope, table: await requireTable(records, tableId) };
}

/** Throws NotFound for a table that was deleted, after removing what this run has stored since. */
async function requireTable(records: Records, id: string): Promise<EvidenceTable> {
  const table = await tables.get(records, { id });
  if (table !== undefined) return table;
  await dropTable(records, id);
  throw new NotFound('evidence_table_not_found', 'This evidence table no longer exists.');
}

/** Returns the work of a run, from the first cell without a stored reading to the last. */
function tableWork(ports: ReadTablePorts, job: TableJob, timeLeftMs: number): RunWork {
  return storedWork(ports, { run: job.run, timeLeftMs, spareMs: HAND_OVER_MS }, async (opened) => {
    const filling = openFilling(ports, job, opened);
    return {
      progress: () => ({
        type: 'data-progress',
        data: { phase: 'fill', ...filling.progress, ...usageSoFar(filling) },
        transient: true,
      }),
      work: () => fill(filling, job.scope),
    };
  });
}

function openFilling(ports: ReadTablePorts, { run, table, workspace }: TableJob, opened: OpenedRun): Filling {
  const use = runUsage(run);
  const beganAt = Date.parse(run.createdAt);
  return {
    ...{ ...opened, run, table, workspace, ports },
    model: ports.openModel(use, run),
    search: ports.searchFor(use),
    limits: openLimits(table.budget ?? {}, { clock: ports.clock, beganAt, used: opened.steps.used }),
    progress: { done: 0, total: 0 },
    failedInARow: 0,
  };
}

async function fill(filling: Filling, scope: TableScope): Promise<WorkOutcome> {
  const { ports, table, run, model, progress, limits } = filling;
  const calls = plannedCalls(table, await readContents(ports.records, table), scope);
  progress.total = calls.length;
  await workOnAll(calls, CALLS_AT_ONCE, async (call) => {
    if (limits.ended() !== null) return;
    await fillCells(filling, call);
    progress.done += 1;
  });
  const usage = usageSoFar(filling);
  await change(
    tables,
    ports.records,
    { id: table.id },
    (before) => before && { used: { runId: run.id, ...usage } },
  );
  return { kind: 'finished', finish: finishPart(run, model, usage) };
}

function usageSoFar({ steps, model, ports, limits }: Filling) {
  return { ended: limits.ended(), ...usageOf(steps, model, ports.prices) };
}

/**
 * Reads some cells of a document. The answer of the model is stored by `ask` before the cells are, so a process that
 * dies in between leaves nothing to pay again.
 */
async function fillCells(filling: Filling, call: Call): Promise<void> {
  const { columns } = call;
  try {
    const cells = await readColumns(filling, call);
    await keep(filling, call, cells, false);
    filling.failedInARow = 0;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await keep(
      filling,
      call,
      columns.map(() => failedCell(reason)),
      true,
    );
    if (!(error instanceof UpstreamFailed)) return;
    filling.failedInARow += 1;
    if (filling.failedInARow >= MAX_FAILED_IN_A_ROW) throw new RunFailed(error);
  }
}

/** The error of the latest of several calls that failed, which ends the run and not only a part of it. */
class RunFailed extends ServiceError {
  constructor(error: UpstreamFailed) {
    super(error.code, error.message, { cause: error });
  }
}

/** Returns why the cells of a call failed; undefined for an error that isn't about this call. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotReadable) return error.reason;
  return error instanceof UpstreamFailed ? error.code : undefined;
}

async function keep(
  { ports, table, model }: Filling,
  { row, fileHash, columns }: Call,
  cells: CellResult[],
  failed: boolean,
): Promise<void> {
  const { records, clock } = ports;
  const hash = shortHash([columns.map(columnHash), model.provider, model.model]);
  await readings.put(records, {
    ...{ tableId: table.id, fileHash: fileHash ?? NOT_INDEXED, hash, failed, readAt: timestamp(clock) },
    ...{ provider: model.provider, model: model.model },
    cells: cells.map((cell, at) => ({
      column: columnHash(columns[at] as (typeof columns)[number]),
      ...cell,
    })),
  });
  // Patches a row that still exists, because a person may have removed it.
  await documentRows.patch(records, row, { fileHash: fileHash ?? NOT_INDEXED }, { n: row.n });
  await requireTable(records, table.id);
}

import { randomBytes } from 'node:crypto';
import { type Caller, callerSchema } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { change } from '../records/change.ts';
import { requireMatch } from '../records/etag.ts';
import type { PageQuery } from '../records/page.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { stopRun } from '../runs/stop.ts';
import { SOURCE_ERRORS } from '../sources/sources.ts';
import { findWorkspace, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { BEGIN_TABLE_ERRORS, beginTableRun, requireTableIdle, runOf } from './begin.ts';
import { checkCells, storeCells } from './corrections.ts';
import { summarizeTable } from './describe.ts';
import { chosenRows } from './documents.ts';
import type { ColumnInput, StartedTable, TableBody, TableChange, TableSummary } from './request-schema.ts';
import { putRows, removeRows, reserveRows, rowsAt } from './rows.ts';
import {
  dropTable,
  type EvidenceColumn,
  type EvidenceTable,
  evidencePartition,
  FOLLOW_MS,
  followedTables,
  tables,
} from './schema.ts';

/** The error codes of a request that names a table. */
export const TABLE_ERRORS = [...WORKSPACE_ERRORS, 'evidence_table_not_found'] as const satisfies ErrorCode[];
export const CREATE_TABLE_ERRORS = [
  ...BEGIN_TABLE_ERRORS,
  ...SOURCE_ERRORS,
  'invalid_value',
] as const satisfies ErrorCode[];
export const CHANGE_TABLE_ERRORS = [
  ...TABLE_ERRORS,
  ...SOURCE_ERRORS,
  'changed_since_read',
  'concurrent_changes',
  'evidence_table_running',
  'invalid_value',
] as const satisfies ErrorCode[];

/**
 * Finds a table for a caller with access to its workspace. Without access, it counts as missing. Throws NotFound, and
 * Forbidden for a member whose role there isn't sufficient.
 */
export async function findTable(records: Records, caller: Caller, id: string): Promise<EvidenceTable> {
  const table = await tables.get(records, { id });
  if (table === undefined) throw notFound();
  await findWorkspace(records, caller, table.workspaceId).catch((error: unknown) => {
    if (error instanceof Forbidden && error.code === 'workspace_access_denied') throw notFound();
    throw error;
  });
  return table;
}

function notFound(): NotFound {
  return new NotFound('evidence_table_not_found', 'This evidence table does not exist.');
}

/** Creates a table, and starts the run that reads its first documents. Throws InvalidInput, NotConfigured, OverBudget. */
export async function createTable(
  ports: BeginPorts,
  caller: Caller,
  { id: workspaceId }: Workspace,
  { name, rows: wanted, columns, pilot, followNew, budget }: TableBody,
): Promise<StartedTable> {
  const { records, clock } = ports;
  const { paths, glob } = await chosenRows(records, workspaceId, wanted, 'rows');
  const table: EvidenceTable = {
    ...{ id: newId(), workspaceId, name, createdBy: caller.id, createdAt: timestamp(clock) },
    ...{
      columns: columns.map((column) => ({ ...column, id: newColumnId() })),
      pilot,
      glob,
      budget: budget ?? null,
    },
    ...{ rowCount: paths.length, nextRow: paths.length, follower: null, followFrom: 0, restStarted: false },
    ...{ runId: null, scope: 'pilot', used: null, version: 1 },
  };
  await tables.create(records, table);
  await putRows(records, table, paths);
  if (followNew) await follow(ports, caller, table.id, true);
  return beginTableRun(ports, caller, table, { scope: 'pilot' });
}

/** Returns an ID that starts with a letter, because URLs of the console would read digits as a number. */
function newColumnId(): string {
  return `c${randomBytes(4).toString('hex')}`;
}

/** Returns a page of the tables of a workspace, newest first. */
export async function listTables(ports: BeginPorts, workspaceId: string, { limit, cursor }: PageQuery) {
  const query = { partition: evidencePartition(workspaceId), byIndex: true, limit, cursor };
  const page = await tables.list(ports.records, { ...query, order: 'descending' });
  const items = await Promise.all(page.items.map((table) => summarizeTable(ports, table)));
  return { items, cursor: page.cursor };
}

/**
 * Changes a table. Everything is checked before anything is written. Throws NotFound, InvalidInput, and Conflict for
 * other columns or rows while a run reads them, and for columns or cells that others have changed since.
 */
export async function changeTable(
  ports: BeginPorts,
  caller: Caller,
  table: EvidenceTable,
  { cells = [], addRows, removeRows: removed = [], columns, followNew, name, budget, ifMatch }: Asked,
): Promise<EvidenceTable> {
  const { records } = ports;
  const { id, workspaceId } = table;
  const chosen = addRows && (await chosenRows(records, workspaceId, addRows, 'addRows'));
  if (followNew && (chosen?.glob ?? table.glob) === null)
    throw new InvalidInput('invalid_value', 'followNew needs rows with a glob.', { field: 'followNew' });
  const entered = await checkCells(ports, caller, table, cells);
  const there = await rowsAt(records, id, [...new Set([...(chosen?.paths ?? []), ...removed])]);
  const present = new Set(there.filter(({ isRemoved }) => !isRemoved).map(({ path }) => path));
  const dropped = [...new Set(removed)].filter((path) => present.has(path));
  const added = (chosen?.paths ?? []).filter((path) => !present.has(path) || dropped.includes(path));
  const changed = await change(tables, records, { id }, async (before) => {
    if (before === undefined) return undefined;
    if (columns ?? addRows ?? dropped[0]) await requireTableIdle(ports, before);
    requireMatch(ifMatch, before.columns);
    return {
      ...(await reserveRows(records, before, added.length, dropped.length)),
      ...(name !== undefined && { name }),
      ...(budget !== undefined && { budget }),
      ...(columns && { columns: keepIds(before, columns) }),
      ...(chosen?.glob && { glob: chosen.glob }),
    };
  });
  if (changed === undefined) throw notFound();
  if (dropped.length > 0) await removeRows(records, id, dropped);
  if (added.length > 0) await putRows(records, changed, added);
  if (followNew !== undefined) await follow(ports, caller, id, followNew);
  await storeCells(records, entered);
  const now = await tables.get(records, { id });
  if (now !== undefined) return now;
  await dropTable(records, id); // rows and cells may have been stored after the deletion
  throw notFound();
}

type Asked = TableChange & { ifMatch?: string | undefined };

function keepIds(table: EvidenceTable, columns: ColumnInput[]): EvidenceColumn[] {
  const known = new Set(table.columns.map(({ id }) => id));
  const unknown = columns.find(({ id }) => id !== undefined && !known.has(id));
  if (unknown !== undefined)
    throw new InvalidInput('invalid_value', `columns has an id that the table has not: ${unknown.id}`, {
      field: 'columns',
    });
  return columns.map((column) => ({ ...column, id: column.id ?? newColumnId() }));
}

/**
 * Enables or disables the reading of new documents. The record that the tick finds is first, because it is removed
 * without a follower, while nothing would add it.
 */
async function follow(
  { records, clock }: BeginPorts,
  caller: Caller,
  id: string,
  follows: boolean,
): Promise<void> {
  const follower = follows ? callerSchema.parse(caller) : null;
  if (follows)
    await followedTables.put(records, { tableId: id, stamp: '', until: timestamp(clock, FOLLOW_MS) });
  await change(tables, records, { id }, (before) => {
    if (before === undefined) return undefined;
    return { follower, ...(before.follower === null && { followFrom: before.nextRow }) };
  });
  if (!follows) await followedTables.delete(records, { tableId: id });
}

/** Stops the run of a table. Throws Conflict if none is active. */
export async function stopTable(ports: BeginPorts, table: EvidenceTable): Promise<TableSummary> {
  const run = await runOf(ports.records, table);
  if (run === undefined) throw new Conflict('run_over', 'No run reads this table.');
  await stopRun(ports, run);
  return summarizeTable(ports, table);
}

/** Deletes a table with its cells, after its run was stopped. Throws Conflict while a run reads it. */
export async function deleteTable(ports: BeginPorts, table: EvidenceTable): Promise<void> {
  await requireTableIdle(ports, table);
  await dropTable(ports.records, table.id);
}

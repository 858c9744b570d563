import { randomBytes } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { change } from '../records/change.ts';
import type { PageQuery } from '../records/page.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { stopRun } from '../runs/stop.ts';
import { findWorkspace, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { BEGIN_TABLE_ERRORS, beginTableRun, requireTableIdle, runOf } from './begin.ts';
import { summarizeTable } from './describe.ts';
import { chosenPaths } from './documents.ts';
import type { ColumnInput, StartedTable, TableBody, TableChange, TableSummary } from './request-schema.ts';
import {
  cellCorrections,
  documentRows,
  dropTable,
  type EvidenceColumn,
  type EvidenceTable,
  evidencePartition,
  followedTables,
  MAX_ROWS,
  tables,
} from './schema.ts';
import { readValue } from './values.ts';

/** The error codes of a request that names a table. */
export const TABLE_ERRORS = [...WORKSPACE_ERRORS, 'evidence_table_not_found'] as const satisfies ErrorCode[];
export const CREATE_TABLE_ERRORS = [...BEGIN_TABLE_ERRORS, 'invalid_value'] as const satisfies ErrorCode[];
export const CHANGE_TABLE_ERRORS = [
  ...TABLE_ERRORS,
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
  const paths = await chosenPaths(records, workspaceId, wanted, 'rows');
  const table: EvidenceTable = {
    ...{ id: newId(), workspaceId, name, createdBy: caller.id, createdAt: timestamp(clock) },
    ...{
      columns: columns.map((column) => ({ ...column, id: newColumnId() })),
      pilot,
      glob: wanted.glob ?? null,
    },
    ...{ rowCount: paths.length, nextRow: paths.length, budget: budget ?? null, follower: null, runId: null },
    ...{ scope: 'pilot', used: null, version: 1 },
  };
  await tables.create(records, table);
  await putRows(records, table.id, paths, 0);
  if (followNew) await follow(ports, caller, table, true);
  return beginTableRun(ports, caller, table, { scope: 'pilot' });
}

/** Returns an ID that starts with a letter, because URLs of the console would read digits as a number. */
function newColumnId(): string {
  return `c${randomBytes(4).toString('hex')}`;
}

async function putRows(records: Records, tableId: string, paths: string[], first: number): Promise<void> {
  await documentRows.putMany(
    records,
    paths.map((path, at) => ({ tableId, path, n: first + at, fileHash: null })),
  );
}

/** Returns a page of the tables of a workspace, newest first. */
export async function listTables(ports: BeginPorts, workspaceId: string, { limit, cursor }: PageQuery) {
  const query = { partition: evidencePartition(workspaceId), byIndex: true, limit, cursor };
  const page = await tables.list(ports.records, { ...query, order: 'descending' });
  const items = await Promise.all(page.items.map((table) => summarizeTable(ports, table)));
  return { items, cursor: page.cursor };
}

/** Changes a table. Throws NotFound, InvalidInput, and Conflict for other columns or rows while a run reads them. */
export async function changeTable(
  ports: BeginPorts,
  caller: Caller,
  table: EvidenceTable,
  { cells, addRows, removeRows, columns, followNew, name, budget }: TableChange,
): Promise<EvidenceTable> {
  const { records } = ports;
  if (columns ?? addRows ?? removeRows) await requireTableIdle(ports, table);
  if (followNew !== undefined) await follow(ports, caller, table, followNew);
  if (removeRows !== undefined) await dropRows(records, table, removeRows);
  if (addRows !== undefined)
    await addPaths(records, table, await chosenPaths(records, table.workspaceId, addRows, 'addRows'));
  const next = columns && keepIds(table, columns);
  const changed = await change(tables, records, { id: table.id }, (before) => {
    if (before === undefined) return undefined;
    return {
      ...(name !== undefined && { name }),
      ...(budget !== undefined && { budget }),
      ...(next && { columns: next }),
      ...(addRows?.glob !== undefined && { glob: addRows.glob }),
    };
  });
  if (changed === undefined) throw notFound();
  if (cells !== undefined) await correctCells(ports, caller, changed, cells);
  return changed;
}

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
 * Adds documents that the table doesn't have, and returns how many. If it would have too many, adds those that fit
 * (`mayFill`), or throws InvalidInput.
 */
export async function addPaths(
  records: Records,
  table: EvidenceTable,
  paths: string[],
  { mayFill = false }: { mayFill?: boolean } = {},
): Promise<number> {
  const known = await documentRows.getMany(
    records,
    paths.map((path) => ({ tableId: table.id, path })),
  );
  const there = new Set(known.map(({ path }) => path));
  let added = paths.filter((path) => !there.has(path));
  let first = 0;
  const changed = await change(tables, records, { id: table.id }, (before) => {
    if (before === undefined) return undefined;
    if (mayFill) added = added.slice(0, MAX_ROWS - before.rowCount);
    if (before.rowCount + added.length > MAX_ROWS)
      throw new InvalidInput('invalid_value', `A table has at most ${MAX_ROWS} documents.`, {
        field: 'addRows',
      });
    first = before.nextRow;
    return { rowCount: before.rowCount + added.length, nextRow: before.nextRow + added.length };
  });
  if (changed !== undefined) await putRows(records, table.id, added, first);
  return added.length;
}

async function dropRows(records: Records, { id: tableId }: EvidenceTable, paths: string[]): Promise<void> {
  const there = await documentRows.getMany(
    records,
    paths.map((path) => ({ tableId, path })),
  );
  await documentRows.deleteMany(records, there);
  await change(
    tables,
    records,
    { id: tableId },
    (before) => before && { rowCount: before.rowCount - there.length },
  );
}

/** Stores what a person entered, in records that no run writes. */
async function correctCells(
  { records, clock }: BeginPorts,
  caller: Caller,
  { id: tableId, columns }: EvidenceTable,
  cells: NonNullable<TableChange['cells']>,
): Promise<void> {
  for (const [at, { path, columnId, value = null, reset }] of cells.entries()) {
    const column = columns.find(({ id }) => id === columnId);
    const field = `cells.${at}`;
    if (column === undefined)
      throw new InvalidInput('invalid_value', `${field}.columnId is not a column of the table.`, { field });
    if ((await documentRows.get(records, { tableId, path })) === undefined)
      throw new InvalidInput('invalid_value', `${field}.path is not a document of the table.`, { field });
    if (reset) {
      await cellCorrections.delete(records, { tableId, columnId, path });
      continue;
    }
    const read = value === null ? { value } : readValue(column, value);
    if ('reason' in read)
      throw new InvalidInput('invalid_value', `${field}.value does not fit the column (${column.type}).`, {
        field,
      });
    const entered = { tableId, path, columnId, value: read.value, by: caller.id, at: timestamp(clock) };
    await cellCorrections.put(records, entered);
  }
}

/** Enables or disables the reading of new documents. Throws InvalidInput for a table without a pattern. */
async function follow(
  ports: BeginPorts,
  caller: Caller,
  { id, glob }: EvidenceTable,
  follows: boolean,
): Promise<void> {
  const { records, clock } = ports;
  if (follows && glob === null)
    throw new InvalidInput('invalid_value', 'followNew needs rows with a glob.', { field: 'followNew' });
  const { id: callerId, role, workspaceIds, groups, tokenId } = caller;
  const follower = follows
    ? { id: callerId, role, workspaceIds, ...(groups && { groups }), ...(tokenId && { tokenId }) }
    : null;
  await change(tables, records, { id }, (before) => before && { follower });
  if (follows) await followedTables.put(records, { tableId: id, stamp: '', until: timestamp(clock) });
  else await followedTables.delete(records, { tableId: id });
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

import type { Caller } from '../access/caller.ts';
import { documentsAt } from '../documents/documents.ts';
import { NotConfigured } from '../errors.ts';
import { entryName } from '../paths/entry-path.ts';
import type { Records } from '../ports/records.ts';
import { invalidCursor } from '../records/cursor.ts';
import type { BeginPorts } from '../runs/ports.ts';
import { runUsage } from '../runs/run-usage.ts';
import { checkAlive } from '../runs/sweep.ts';
import { requireWorkspace } from '../workspaces/access.ts';
import { runOf } from './begin.ts';
import { type Contents, readContents } from './contents.ts';
import { estimateCalls, plannedCalls } from './estimate.ts';
import { outlierFinder } from './outliers.ts';
import type {
  CellCounts,
  DescribedTable,
  EvidenceCell,
  EvidenceRow,
  RowsQuery,
  TableSummary,
} from './request-schema.ts';
import type { DocumentRow, EvidenceColumn, EvidenceTable } from './schema.ts';

/** Returns a table as lists show it. */
export async function summarizeTable(ports: BeginPorts, table: EvidenceTable): Promise<TableSummary> {
  const { id, workspaceId, name, createdBy, createdAt, columns, rowCount, glob, pilot, budget, scope } =
    table;
  const found = await runOf(ports.records, table);
  const run = found && (await checkAlive(ports, found));
  return {
    ...{ id, workspaceId, name, createdBy, createdAt, columns, rowCount, glob, pilot, budget },
    followNew: table.follower !== null,
    run: run === undefined ? null : { runId: run.id, status: run.status, error: run.error, scope },
  };
}

/** Returns a table with a page of its rows. */
export async function describeTable(
  ports: BeginPorts,
  caller: Caller,
  table: EvidenceTable,
  { limit, cursor, look }: RowsQuery,
): Promise<{ table: DescribedTable; cursor?: string }> {
  const contents = await readContents(ports.records, table);
  const all = showRows(table, contents);
  const wanted = look ? all.filter(({ cells }) => Object.values(cells).some((cell) => cell.look)) : all;
  const from = startOf(cursor);
  const page = wanted.slice(from, from + limit);
  const missing = plannedCalls(table, contents, 'all');
  const described = {
    ...(await summarizeTable(ports, { ...table, rowCount: all.length })),
    used: usedBy(table),
    counts: countCells(table, all),
    estimate: estimateCalls(missing, contents, modelFor(ports, caller, table), ports.prices),
    rows: await withTitles(ports.records, table, page),
  };
  const next = from + limit < wanted.length ? { cursor: String(from + limit) } : {};
  return { table: described, ...next };
}

/** Returns the usage of the latest run; null until it has ended. */
function usedBy({ used, runId }: EvidenceTable): DescribedTable['used'] {
  if (used === null || used.runId !== runId) return null;
  const { runId: _, ...usage } = used;
  return usage;
}

function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,5}$/.test(cursor)) return Number(cursor);
  throw invalidCursor();
}

/** Returns the name of the model that a run would use now; undefined if none is configured. */
function modelFor(ports: BeginPorts, caller: Caller, { workspaceId }: EvidenceTable): string | undefined {
  try {
    return ports.openModel(runUsage({ caller, workspaceId })).model;
  } catch (error) {
    if (error instanceof NotConfigured) return undefined;
    throw error;
  }
}

/** A row before the title of its document is read. */
export type ShownRow = Omit<EvidenceRow, 'title'>;

/** Returns the rows with the cells that were read or entered. */
export function showRows({ columns }: EvidenceTable, contents: Contents): ShownRow[] {
  const shown = contents.rows.map((row) => ({ path: row.path, cells: cellsOf(row, columns, contents) }));
  for (const { id } of columns.filter(({ type }) => type === 'number'))
    markOutliers(shown.flatMap(({ cells }) => cells[id] ?? []));
  return shown;
}

function markOutliers(cells: EvidenceCell[]): void {
  const find = outlierFinder(cells.flatMap(({ value }) => (typeof value === 'number' ? value : [])));
  for (const cell of cells) {
    const outlier = typeof cell.value === 'number' ? find(cell.value) : undefined;
    if (outlier !== undefined) cell.outlier = outlier;
  }
}

function cellsOf(
  row: DocumentRow,
  columns: EvidenceColumn[],
  contents: Contents,
): Record<string, EvidenceCell> {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const cell = cellOf(row, column, contents);
      return cell === undefined ? [] : [[column.id, cell]];
    }),
  );
}

function cellOf(row: DocumentRow, column: EvidenceColumn, contents: Contents): EvidenceCell | undefined {
  const read = contents.readCell(row, column);
  const entered = contents.correction(row, column);
  // A copy of the document was read, perhaps under another path.
  const citations = read?.citations.map((citation) => ({ ...citation, path: row.path })) ?? [];
  if (entered === undefined) {
    if (read === undefined) return undefined;
    const { column: _, ...cell } = read;
    return { ...cell, citations, look: !cell.verified };
  }
  const { value, by, at } = entered;
  return {
    ...{ value, state: value === null ? 'not_stated' : 'found', verified: true, look: false },
    ...{ citations, corrected: { by, at } },
  };
}

/** Returns the rows with the titles of their documents. */
export async function withTitles(
  records: Records,
  { workspaceId }: EvidenceTable,
  rows: ShownRow[],
): Promise<EvidenceRow[]> {
  const documents = await documentsAt(
    records,
    await requireWorkspace(records, workspaceId),
    rows.map(({ path }) => path),
  );
  return rows.map((row) => ({ ...row, title: documents.get(row.path)?.title ?? entryName(row.path) }));
}

function countCells({ columns }: EvidenceTable, rows: ShownRow[]): CellCounts {
  const cells = rows.flatMap((row) => Object.values(row.cells));
  const inState = (state: EvidenceCell['state']) => cells.filter((cell) => cell.state === state).length;
  const total = rows.length * columns.length;
  return {
    ...{ rows: rows.length, cells: total, waiting: total - cells.length },
    ...{ found: inState('found'), notStated: inState('not_stated') },
    ...{ disputed: inState('disputed'), failed: inState('failed') },
    corrected: cells.filter(({ corrected }) => corrected !== undefined).length,
    look: cells.filter(({ look }) => look).length,
  };
}

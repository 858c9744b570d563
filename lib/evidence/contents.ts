import { createHash } from 'node:crypto';
import { type IndexedFile, readKnownFiles } from '../indexing/schema.ts';
import type { Records } from '../ports/records.ts';
import {
  type CellCorrection,
  type CellReading,
  cellCorrections,
  type DocumentRow,
  documentRows,
  type EvidenceColumn,
  type EvidenceTable,
  type KeptCell,
  readings,
  tablePartition,
} from './schema.ts';
import { readValue } from './values.ts';

/** The rows of a table in their order, with what was read and entered. */
export interface Contents {
  rows: DocumentRow[];
  /** The documents as they are indexed now, by path. */
  indexed: Map<string, IndexedFile>;
  /** Returns the cell that was read from the present version of a document or, before that was read, from the last one. */
  readCell(row: DocumentRow, column: EvidenceColumn): KeptCell | undefined;
  /** Returns whether no run has to read the cell: it was read, or a person entered it. */
  isDone(row: DocumentRow, column: EvidenceColumn): boolean;
  correction(row: DocumentRow, column: EvidenceColumn): CellCorrection | undefined;
}

/** Reads all records of a table: at most 1,000 rows, and a reading for each ten of their cells. */
export async function readContents(
  records: Records,
  { id, workspaceId, columns }: Pick<EvidenceTable, 'id' | 'workspaceId' | 'columns'>,
): Promise<Contents> {
  const query = (sortPrefix: string) => ({ partition: tablePartition(id), sortPrefix, limit: 500 });
  const [rows, read, fixed] = await Promise.all([
    rowsInOrder(records, id),
    Array.fromAsync(readings.all(records, query('READ#'))),
    Array.fromAsync(cellCorrections.all(records, query('FIX#'))),
  ]);
  const indexed = await readKnownFiles(
    records,
    workspaceId,
    rows.map(({ path }) => path),
  );
  const cells = latestCells(read);
  const versions = new Set(read.map(({ fileHash }) => fileHash));
  const entered = new Map(fixed.map((each) => [`${each.columnId} ${each.path}`, each]));
  const hashes = new Map(columns.map((column) => [column.id, columnHash(column)]));
  const find = (hash: string | null | undefined, column: EvidenceColumn) =>
    cells.get(`${hash} ${hashes.get(column.id)}`);
  const correction = ({ path }: DocumentRow, column: EvidenceColumn) =>
    stillFits(entered.get(`${column.id} ${path}`), column);
  return {
    rows,
    indexed,
    correction,
    readCell({ path, fileHash }, column) {
      const present = indexed.get(path)?.hash;
      return find(present !== undefined && versions.has(present) ? present : fileHash, column)?.cell;
    },
    isDone: (row, column) =>
      correction(row, column) !== undefined || find(indexed.get(row.path)?.hash, column)?.failed === false,
  };
}

/** Returns the rows of a table in their order. */
export async function rowsInOrder(records: Records, tableId: string): Promise<DocumentRow[]> {
  const query = { partition: tablePartition(tableId), sortPrefix: 'ROW#', limit: 500 };
  const found = await Array.fromAsync(documentRows.all(records, query));
  return found.filter(({ isRemoved }) => !isRemoved).sort((one, other) => one.n - other.n);
}

/** Returns what a person entered, unless the column has another type, unit, or choices since, which it doesn't fit. */
function stillFits(entered: CellCorrection | undefined, column: EvidenceColumn): CellCorrection | undefined {
  if (entered === undefined || entered.value === null) return entered;
  const read = readValue(column, entered.value);
  if ('reason' in read || entered.unit !== (column.unit ?? null)) return undefined;
  return { ...entered, value: read.value };
}

/** Returns cells by document and column. Several readings of a cell differ in their model, or in other columns. */
function latestCells(read: CellReading[]): Map<string, { cell: KeptCell; failed: boolean }> {
  const inOrder = read.toSorted(
    (one, other) => Number(other.failed) - Number(one.failed) || (one.readAt < other.readAt ? -1 : 1),
  );
  return new Map(
    inOrder.flatMap(({ fileHash, failed, cells }) =>
      cells.map((cell) => [`${fileHash} ${cell.column}`, { cell, failed }] as const),
    ),
  );
}

/** Returns the hash of what a column asks. Its name isn't a part of it, so a new name reads nothing again. */
export function columnHash({ question, type, choices, unit }: Omit<EvidenceColumn, 'id' | 'name'>): string {
  return shortHash([question, type, choices ?? null, unit ?? null]);
}

export function shortHash(input: unknown): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('base64url').slice(0, 22);
}

import { createHash } from 'node:crypto';
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

/** The rows of a table in their order, with what was read and entered. */
export interface Contents {
  rows: DocumentRow[];
  /** Returns the cell that was read from the present version of a row's document. */
  readCell(row: DocumentRow, column: EvidenceColumn): KeptCell | undefined;
  /** Returns whether no run has to read the cell: it was read, or a person entered it. */
  isDone(row: DocumentRow, column: EvidenceColumn, fileHash: string | null): boolean;
  correction(row: DocumentRow, column: EvidenceColumn): CellCorrection | undefined;
}

/** Reads all records of a table: at most 1,000 rows, and a reading for each ten of their cells. */
export async function readContents(records: Records, { id }: Pick<EvidenceTable, 'id'>): Promise<Contents> {
  const query = (sortPrefix: string) => ({ partition: tablePartition(id), sortPrefix, limit: 500 });
  const [found, read, fixed] = await Promise.all([
    Array.fromAsync(documentRows.all(records, query('ROW#'))),
    Array.fromAsync(readings.all(records, query('READ#'))),
    Array.fromAsync(cellCorrections.all(records, query('FIX#'))),
  ]);
  const cells = latestCells(read);
  const entered = new Map(fixed.map((each) => [`${each.columnId} ${each.path}`, each]));
  const keyOf = (fileHash: string | null, column: EvidenceColumn) => `${fileHash} ${columnHash(column)}`;
  const correction = ({ path }: DocumentRow, column: EvidenceColumn) => entered.get(`${column.id} ${path}`);
  return {
    rows: found.sort((one, other) => one.n - other.n),
    correction,
    readCell: ({ fileHash }, column) => cells.get(keyOf(fileHash, column))?.cell,
    isDone: (row, column, fileHash) =>
      correction(row, column) !== undefined || cells.get(keyOf(fileHash, column))?.failed === false,
  };
}

/** Returns cells by document and column. Several readings of a cell differ in their model, or in other columns. */
function latestCells(read: CellReading[]): Map<string, { cell: KeptCell; failed: boolean }> {
  const inOrder = read.toSorted((one, other) =>
    one.failed === other.failed ? (one.readAt < other.readAt ? -1 : 1) : one.failed ? -1 : 1,
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

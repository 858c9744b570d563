import type { Schemas } from '../../lib/api-contract/schema.ts';

/** A table in the API's format. */
export type EvidenceTable = Schemas['EvidenceTable'];
export type TableSummary = Schemas['EvidenceTableSummary'];
export type TableRow = EvidenceTable['rows'][number];
export type Cell = TableRow['cells'][string];
export type Column = EvidenceTable['columns'][number];
export type ColumnInput = Schemas['EvidenceColumnInput'];

export function isOpen({ run }: Pick<TableSummary, 'run'>): boolean {
  return run?.status === 'running' || run?.status === 'waiting';
}

import type { Caller } from '../access/caller.ts';
import { Conflict, InvalidInput } from '../errors.ts';
import { timestamp } from '../ports/clock.ts';
import { type FieldExpectation, type Records, wasExpected } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import type { TableChange } from './request-schema.ts';
import { rowsAt } from './rows.ts';
import { type CellCorrection, cellCorrections, type EvidenceColumn, type EvidenceTable } from './schema.ts';
import { readValue } from './values.ts';

/** A correction that fits its table. */
interface Entered {
  /** Null removes the correction. */
  entered: CellCorrection | null;
  cell: Pick<CellCorrection, 'tableId' | 'columnId' | 'path'>;
  /** The correction that the person read; undefined if any may be replaced. */
  expected: FieldExpectation | 'absent' | undefined;
  field: string;
}

/** Checks corrections before any of them is stored. Throws InvalidInput. */
export async function checkCells(
  { records, clock }: TimedRecords,
  caller: Caller,
  { id: tableId, columns }: Pick<EvidenceTable, 'id' | 'columns'>,
  cells: NonNullable<TableChange['cells']>,
): Promise<Entered[]> {
  const paths = [...new Set(cells.map(({ path }) => path))];
  const rows = new Set(
    (await rowsAt(records, tableId, paths)).filter((row) => !row.isRemoved).map(({ path }) => path),
  );
  const by = { by: caller.id, at: timestamp(clock) };
  return cells.map(({ path, columnId, value = null, reset, ifAt }, at) => {
    const field = `cells.${at}`;
    const column = columns.find(({ id }) => id === columnId);
    if (column === undefined) throw unfit(field, 'columnId is not a column of the table');
    if (!rows.has(path)) throw unfit(field, 'path is not a document of the table');
    const cell = { tableId, columnId, path };
    const common = { cell, field, expected: expectationOf(ifAt) };
    if (reset) return { ...common, entered: null };
    const unit = column.unit ?? null;
    return { ...common, entered: { ...cell, value: readEntered(column, value, field), unit, ...by } };
  });
}

function expectationOf(ifAt: string | null | undefined): Entered['expected'] {
  if (ifAt === undefined) return undefined;
  return ifAt === null ? 'absent' : { at: ifAt };
}

function readEntered(column: EvidenceColumn, value: string | number | boolean | null, field: string) {
  if (value === null) return null;
  const read = readValue(column, value);
  if ('reason' in read) throw unfit(field, `value does not fit the column (${column.type})`);
  return read.value;
}

function unfit(field: string, reason: string): InvalidInput {
  return new InvalidInput('invalid_value', `${field}.${reason}.`, { field });
}

/** Stores what a person entered, in records that no run writes. Throws Conflict for a cell that was corrected since. */
export async function storeCells(records: Records, cells: Entered[]): Promise<void> {
  for (const entered of cells)
    if (!(await storeCell(records, entered)))
      throw new Conflict(
        'changed_since_read',
        'Another person has corrected this cell since you read it. Look at their value, then repeat your correction.',
        { field: entered.field },
      );
}

/** Returns false if the cell has another correction than the person read. */
function storeCell(records: Records, { cell, entered, expected }: Entered): Promise<boolean> {
  if (entered === null) {
    const expect = expected === 'absent' ? undefined : expected;
    return wasExpected(cellCorrections.delete(records, cell, expect));
  }
  if (expected === 'absent') return cellCorrections.create(records, entered);
  return cellCorrections.put(records, entered, expected);
}

import type { Citation } from '../chat/message-view.ts';
import { readPlace } from '../chat/message-view.ts';
import type { Cell, Column, TableRow } from './evidence-table.ts';

/** The state that a cell shows besides its value, with its look. The first that applies. */
export function signOf(cell: Cell): {
  name: 'corrected' | 'unverified' | 'outlier' | Cell['state'];
  look: 'calm' | 'accent' | 'good' | 'warn' | 'danger';
} {
  const { state, verified, corrected, outlier } = cell;
  if (corrected) return { name: 'corrected', look: 'accent' };
  if (state === 'failed') return { name: 'failed', look: 'danger' };
  if (state === 'disputed') return { name: 'disputed', look: 'warn' };
  if (state === 'not_stated') return { name: 'not_stated', look: 'calm' };
  if (!verified) return { name: 'unverified', look: 'warn' };
  if (outlier !== undefined) return { name: 'outlier', look: 'warn' };
  return { name: 'found', look: 'good' };
}

/** Returns the value as text, in the numbers of the reader's language; empty if there is none. */
export function valueText(
  { value }: Cell,
  { unit }: Column,
  language: string,
  yes: string,
  no: string,
): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? yes : no;
  const text =
    typeof value === 'number' ? value.toLocaleString(language, { maximumFractionDigits: 20 }) : value;
  return unit === undefined ? text : `${text} ${unit}`;
}

/** Returns the value as a person edits it. */
export function editedValue({ value }: Cell): string {
  return value === null ? '' : String(value);
}

/** Returns the quotes of a cell in the source panel's form. */
export function citationsOf({ citations }: Pick<Cell, 'citations'>): Citation[] {
  return citations.map((cited, at) => {
    const { path, startLine, endLine, quote, fileHash } = cited;
    const place = readPlace(cited);
    return {
      index: at + 1,
      path,
      startLine,
      endLine,
      quote,
      fileHash,
      ...(place && { place }),
    };
  });
}

/** Returns the open cell, as in the URL. */
export function openCell(
  rows: readonly TableRow[],
  columns: readonly Column[],
  { row, column }: { row?: string | undefined; column?: string | undefined },
): { row: TableRow; column: Column; cell: Cell | undefined } | undefined {
  const found = rows.find(({ path }) => path === row);
  const asked = columns.find(({ id }) => id === column);
  return found && asked && { row: found, column: asked, cell: found.cells[asked.id] };
}

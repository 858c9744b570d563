import type { NumberFormat, ShowNumber } from './numbers.ts';

/** A workbook's shared tables, to which its cells refer. */
export interface Workbook {
  strings: string[];
  /** Number formats, indexed by the number of a cell's style. */
  numberFormats: NumberFormat[];
  show: ShowNumber;
}

/** A cell in SpreadsheetML. */
export interface StoredCell {
  type: string;
  style: number;
  value: string;
  formula: string;
}

const PLAIN: NumberFormat = { time: undefined, code: undefined };

/**
 * Returns the value of a cell with its displayed form. If its formula was never calculated, returns the
 * formula.
 */
export function cellText(workbook: Workbook, { type, style, value, formula }: StoredCell): string {
  if (value === '') return formula === '' ? '' : `=${formula}`;
  if (type === 's') return workbook.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  if (type !== 'n' || !Number.isFinite(number)) return value;
  return workbook.show(number, workbook.numberFormats[style] ?? PLAIN);
}

/** Returns the column number, from 1: 28 for `AB12`. */
export function columnOf(reference: string): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Returns the row number: 12 for `AB12`. */
export function rowOf(reference: string): number | undefined {
  const [, digits] = /^[A-Z]{1,3}(\d{1,7})$/.exec(reference) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

import type { NumberFormat, ShowNumber } from './numbers.ts';

/** Shared tables that the cells of a workbook refer to. */
export interface Workbook {
  strings: string[];
  /** How a style shows a number; indexed by the number of the cell's style. */
  numberFormats: NumberFormat[];
  show: ShowNumber;
}

/** A cell as SpreadsheetML has it. */
export interface StoredCell {
  type: string;
  style: number;
  value: string;
  formula: string;
}

const PLAIN: NumberFormat = { time: undefined, code: undefined };

/** Returns the value of a cell, and the form in which it is shown. A formula that was never calculated is shown itself. */
export function cellText(workbook: Workbook, { type, style, value, formula }: StoredCell): string {
  if (value === '') return formula === '' ? '' : `=${formula}`;
  if (type === 's') return workbook.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  if (type !== 'n' || !Number.isFinite(number)) return value;
  return workbook.show(number, workbook.numberFormats[style] ?? PLAIN);
}

/** 28 of `AB12`, from 1. */
export function columnOf(reference: string): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** 12 of `AB12`. */
export function rowOf(reference: string): number | undefined {
  const [, digits] = /^[A-Z]{1,3}(\d{1,7})$/.exec(reference) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

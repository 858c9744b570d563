import { type TimeFormat, timeText } from './dates.ts';

/** Shared tables that the cells of a workbook refer to. */
export interface Workbook {
  strings: string[];
  /** How a style shows a number as a time, if it does; indexed by the number of the cell's style. */
  timeFormats: (TimeFormat | undefined)[];
  /** Whether its days count from 1904, as those of old Macs do. */
  from1904: boolean;
}

/** A cell as SpreadsheetML has it. */
export interface StoredCell {
  type: string;
  style: number;
  value: string;
  formula: string;
}

/** Returns the displayed value of a cell. A formula that was never calculated is shown itself. */
export function cellText(workbook: Workbook, { type, style, value, formula }: StoredCell): string {
  if (value === '') return formula === '' ? '' : `=${formula}`;
  if (type === 's') return workbook.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const format = workbook.timeFormats[style];
  return format === undefined ? numberText(number) : timeText(number, format, workbook.from1904);
}

/** Removes the noise of binary fractions: 0.1 + 0.2 is 0.3, as in the cell. */
export function numberText(number: number): string {
  return String(Number.isInteger(number) ? number : Number(number.toPrecision(15)));
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

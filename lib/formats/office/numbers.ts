import { onOneLine } from '../sheets.ts';
import { MAX_CODE, type TimeFormat, timeFormatOf, timeText } from './dates.ts';

/** Writes a number in an Excel format. Throws for an invalid format. */
export type NumberWriter = (code: string, value: number) => string;

/** How a style shows numbers. */
export interface NumberFormat {
  time: TimeFormat | undefined;
  /** Absent if the form depends on the country, or none is set. */
  code: string | undefined;
}

/** Formats that every Excel version knows by number and shows identically (ECMA-376, 18.8.30). */
const BUILT_IN: Partial<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00', 12: '# ?/?' },
  ...{ 13: '# ??/??', 37: '#,##0;(#,##0)', 38: '#,##0;(#,##0)', 39: '#,##0.00;(#,##0.00)' },
  ...{ 40: '#,##0.00;(#,##0.00)', 48: '##0.0E+0' },
};
/**
 * The maximum number of characters in all displayed forms of a file. Beyond it, numbers appear without their
 * displayed form, so that a large workbook stays readable.
 */
const MAX_SHOWN_CHARACTERS = 4 * 1024 * 1024;

/** The number of days, as Excel counts them, from the first day of 1900 to that of 1904. */
const DAYS_FROM_1900 = 1462;

export function numberFormatOf(id: number, code: string | undefined): NumberFormat {
  const known = code ?? BUILT_IN[id];
  const isTooLong = known !== undefined && known.length > MAX_CODE;
  return { time: timeFormatOf(id, code), code: isTooLong ? undefined : known };
}

/** Removes the rounding error of binary fractions, so that 0.1 + 0.2 is 0.3, as in the cell. */
export function numberText(number: number): string {
  return String(Number.isInteger(number) ? number : Number(number.toPrecision(15)));
}

/** Returns a value, with its displayed form if that differs: `0.125 (12.5%)`. */
export function bothForms(value: string, shown: string): string {
  const form = onOneLine(shown);
  return form === '' || form === value ? value : `${value} (${form})`;
}

/** Returns a function that formats one file's numbers. */
export function showNumbers(write: NumberWriter, from1904 = false) {
  let shownCharacters = 0;
  const shownForm = formWriter(write);
  return (number: number, { time, code }: NumberFormat): string => {
    const value = time === undefined ? numberText(number) : timeText(number, time, from1904);
    if (code === undefined || shownCharacters > MAX_SHOWN_CHARACTERS) return value;
    const shown = shownForm(code, from1904 && time === 'date' ? number + DAYS_FROM_1900 : number);
    // Seconds of zero add nothing.
    const text = time !== undefined && shown.startsWith(value) ? value : bothForms(value, shown);
    shownCharacters += text.length - value.length;
    return text;
  };
}

export type ShowNumber = ReturnType<typeof showNumbers>;

/** Returns a function that tries each custom format once, instead of in each cell. */
function formWriter(write: NumberWriter) {
  const failed = new Set<string>();
  return (code: string, number: number): string => {
    if (failed.has(code)) return '';
    try {
      return write(code, number);
    } catch {
      failed.add(code);
      return '';
    }
  };
}

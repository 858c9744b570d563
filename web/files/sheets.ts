import type { Schemas } from '../../lib/api-contract/schema.ts';

type Part = NonNullable<Schemas['FileContent']['parts']>[number];

export interface SheetRows {
  name: string;
  /** The line of its first row in the text. */
  firstLine: number;
  rows: string[][];
  numbers: number[];
}

/** The sheets of a workbook out of its text, where a row is a line, its cells divided by bars; undefined for any other text. */
export function readSheets(text: string, parts: readonly Part[]): SheetRows[] | undefined {
  if (parts.length === 0 || parts.some(({ rowNumbers }) => rowNumbers === undefined)) return undefined;
  const lines = text.split('\n');
  return parts.map(({ line, sheet = '', rowNumbers = [] }) => ({
    name: sheet,
    firstLine: line + 1,
    // The first line of a sheet is its name.
    rows: lines.slice(line, line + rowNumbers.length).map((row) => row.split(' | ')),
    numbers: rowNumbers,
  }));
}

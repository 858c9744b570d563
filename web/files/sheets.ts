import { columnLetters } from '../../lib/api-contract/column-letters.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import type { Span } from './quote-marks.ts';

type Part = NonNullable<Schemas['FileContent']['parts']>[number];

export interface SheetRows {
  name: string;
  /** The line of its first row in the text. */
  firstLine: number;
  rows: string[][];
  numbers: number[];
  /** The letters of its columns; empty where they aren't known. */
  letters: string[];
}

/** The sheets of a workbook out of its text, where a row is a line, its cells divided by bars; undefined for any other text. */
export function readSheets(text: string, parts: readonly Part[]): SheetRows[] | undefined {
  if (parts.length === 0 || parts.some(({ rowNumbers }) => rowNumbers === undefined)) return undefined;
  const lines = text.split('\n');
  return parts.map(({ line, sheet = '', rowNumbers = [], columnNumbers = [] }) => ({
    name: sheet,
    firstLine: line + 1,
    // The first line of a sheet is its name.
    rows: lines.slice(line, line + rowNumbers.length).map((row) => splitCells(row).map(({ text }) => text)),
    numbers: rowNumbers,
    letters: columnNumbers.map(columnLetters),
  }));
}

const CELL_BREAK = ' | ';

/** The cells of a row, each with the column of the line at which it begins, from 0. */
export function splitCells(row: string): { column: number; text: string }[] {
  let column = 0;
  return row.split(CELL_BREAK).map((text) => {
    const cell = { column, text };
    column += text.length + CELL_BREAK.length;
    return cell;
  });
}

/** Places of the cells of a row, from 0, that a span of its line is in. */
export function markedCells(row: string, [start, end]: Span): Set<number> {
  const cells = splitCells(row).entries();
  return new Set(
    [...cells].flatMap(([place, { column, text }]) =>
      column < end && column + text.length > start ? [place] : [],
    ),
  );
}

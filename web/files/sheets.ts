import { columnLetters } from '../../lib/api-contract/column-letters.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import type { Span } from './quote-marks.ts';

type Part = NonNullable<Schemas['FileContent']['parts']>[number];

export interface SheetRows {
  name: string;
  /** The line of the sheet's first row in the text. */
  firstLine: number;
  rows: string[][];
  numbers: number[];
  /** The letters of the sheet's columns; empty if unknown. */
  letters: string[];
}

/**
 * Returns the sheets in a workbook's text, in which a row is a line with cells separated by bars; undefined for any
 * other text.
 */
export function readSheets(text: string, parts: readonly Part[]): SheetRows[] | undefined {
  if (parts.length === 0 || parts.some(({ rowNumbers }) => rowNumbers === undefined)) return undefined;
  const lines = text.split('\n');
  return parts.map(({ line, sheet = '', rowNumbers = [], columnNumbers = [] }) => ({
    name: sheet,
    firstLine: line + 1,
    // The first line of a sheet is the sheet's name.
    rows: lines.slice(line, line + rowNumbers.length).map((row) => splitCells(row).map(({ text }) => text)),
    numbers: rowNumbers,
    letters: columnNumbers.map(columnLetters),
  }));
}

const CELL_BREAK = ' | ';

/** Returns the cells of a row, each with its start column in the line, from 0. */
export function splitCells(row: string): { column: number; text: string }[] {
  let column = 0;
  return row.split(CELL_BREAK).map((text) => {
    const cell = { column, text };
    column += text.length + CELL_BREAK.length;
    return cell;
  });
}

/** Returns the indexes of a row's cells, from 0, that a span of its line covers. */
export function markedCells(row: string, [start, end]: Span): Set<number> {
  const cells = splitCells(row).entries();
  return new Set(
    [...cells].flatMap(([place, { column, text }]) =>
      column < end && column + text.length > start ? [place] : [],
    ),
  );
}

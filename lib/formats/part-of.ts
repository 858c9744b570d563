import { columnLetters } from '../api-contract/column-letters.ts';
import type { FilePart } from '../ports/file-part.ts';
import type { Decoded, Format, Sheet, TextRun, Unit } from './format.ts';
import { countLines, lineAt } from './lines.ts';
import { CELL_BREAK } from './sheets.ts';

interface Parted extends Pick<Decoded, 'partStarts' | 'sheets' | 'recognized'> {
  /** The text, if the cells of a sheet are wanted. */
  text?: string | undefined;
  /** The number of rows, if lines are rows. */
  rowLines?: number | undefined;
}

/** Undefined if lines aren't rows. */
export function countRowLines(
  { linesAreRows }: Pick<Format, 'linesAreRows'>,
  text: string,
  starts: number[],
): number | undefined {
  return linesAreRows && countLines(text, starts);
}

/** Returns the part of a text that contains a range; for a sheet, also the rows by the sheet's own numbers. */
export function partOf(
  { text, partStarts, sheets, recognized, rowLines }: Parted,
  unit: Unit,
  { start, end }: TextRun,
): FilePart {
  if (unit === 'line') return rowLines === undefined ? {} : { of: rowLines };
  const number = lineAt(partStarts, start);
  if (unit !== 'sheet')
    return { [unit]: number, ...(recognized?.includes(number) && { recognized: true as const }) };
  const sheet = sheets?.[number - 1];
  if (sheet === undefined) return {};
  const rowAt = (offset: number) => sheet.rowNumbers[lineAt(sheet.rowStarts, offset) - 1] ?? 1;
  const cells = text === undefined ? undefined : cellsIn(text, sheet, { start, end });
  return {
    ...{ sheet: sheet.name, rows: [rowAt(start), rowAt(end - 1)], of: sheet.rowNumbers.at(-1) ?? 1 },
    ...(cells !== undefined && { cells }),
  };
}

/**
 * Returns the cells of one row that contain a range. Undefined outside a row, across several rows, or if a
 * cell of the row contains the text that separates cells.
 */
function cellsIn(
  text: string,
  { rowStarts, rowNumbers, columns }: Sheet,
  { start, end }: TextRun,
): string | undefined {
  const row = lineAt(rowStarts, start) - 1;
  const [from = 0, number] = [rowStarts[row], rowNumbers[row]];
  const [line = ''] = text.slice(from, (rowStarts[row + 1] ?? text.length + 1) - 1).split('\n', 1);
  const isInRow = start >= from && end <= from + line.length;
  if (columns === undefined || number === undefined || !isInRow) return undefined;
  const before = (offset: number) => text.slice(from, offset).split(CELL_BREAK).length - 1;
  if (before(from + line.length) >= columns.length) return undefined;
  const names = [before(start), before(end)].map((place) => `${columnLetters(columns[place] ?? 1)}${number}`);
  return [...new Set(names)].join(':');
}

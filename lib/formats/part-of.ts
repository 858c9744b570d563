import type { FilePart } from '../ports/file-part.ts';
import type { Decoded, Format, TextRun, Unit } from './format.ts';
import { countLines, lineAt } from './lines.ts';

interface Parted extends Pick<Decoded, 'partStarts' | 'sheets' | 'recognized'> {
  /** How many, where each line is a row. */
  rowLines?: number | undefined;
}

/** Undefined where lines are not rows. */
export function countRowLines(
  { linesAreRows }: Pick<Format, 'linesAreRows'>,
  text: string,
  starts: number[],
): number | undefined {
  return linesAreRows && countLines(text, starts);
}

/** The part of a text that contains a stretch of it; of a sheet also the rows, by its own numbers. */
export function partOf(
  { partStarts, sheets, recognized, rowLines }: Parted,
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
  return { sheet: sheet.name, rows: [rowAt(start), rowAt(end - 1)], of: sheet.rowNumbers.at(-1) ?? 1 };
}

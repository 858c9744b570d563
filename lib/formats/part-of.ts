import type { FilePart } from '../ports/file-part.ts';
import type { Decoded, TextRun, Unit } from './format.ts';
import { lineAt } from './lines.ts';

/** The part of a text in which a stretch of it stands; of a sheet also the rows, by its own numbers. */
export function partOf(
  { partStarts, sheets, recognized }: Pick<Decoded, 'partStarts' | 'sheets' | 'recognized'>,
  unit: Unit,
  { start, end }: TextRun,
): FilePart {
  if (unit === 'line') return {};
  const number = lineAt(partStarts, start);
  if (unit !== 'sheet')
    return { [unit]: number, ...(recognized?.includes(number) && { recognized: true as const }) };
  const sheet = sheets?.[number - 1];
  if (sheet === undefined) return {};
  const rowAt = (offset: number) => sheet.rowNumbers[lineAt(sheet.rowStarts, offset) - 1] ?? 1;
  return { sheet: sheet.name, rows: [rowAt(start), rowAt(end - 1)] };
}

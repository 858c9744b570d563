import type { FilePart } from '../ports/file-part.ts';
import type { Decoded, TextRun, Unit } from './format.ts';
import { lineAt } from './lines.ts';

/** The part of a text in which a stretch of it stands. */
export function partOf(
  { partStarts }: Pick<Decoded, 'partStarts'>,
  unit: Unit,
  { start }: TextRun,
): FilePart {
  return unit === 'line' ? {} : { [unit]: lineAt(partStarts, start) };
}

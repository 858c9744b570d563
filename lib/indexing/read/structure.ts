import type { Structure } from '../../formats/format.ts';

export type LineWeight = 0 | 1 | 2 | 3;

/**
 * Rates the beginning of a line as a place to split: 3 a heading or definition, 2 a new paragraph, 1 any line, 0 a continuation
 * of the line before.
 */
export function lineWeight(structure: Structure | undefined, line: string, before: string): LineWeight {
  if (structure?.belongsToBefore(line, before)) return 0;
  const blankBefore = before.trim() === '';
  if (structure?.startsSection(line, blankBefore)) return 3;
  return blankBefore && line.trim() !== '' ? 2 : 1;
}

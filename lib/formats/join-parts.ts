import type { Decoded } from './format.ts';

/** Between two parts; a form feed, as pdftotext has it. */
const PART_BREAK = '\n\f\n';

/** The parts of a file (its pages) as one text. */
export function joinParts(parts: string[]): Decoded {
  const partStarts: number[] = [];
  let length = 0;
  for (const part of parts) {
    partStarts.push(length);
    length += part.length + PART_BREAK.length;
  }
  return { text: parts.join(PART_BREAK), partStarts };
}

import { Unreadable } from '../errors.ts';
import type { Decoded } from './format.ts';

/** Between two parts; a form feed, as pdftotext has it. */
const PART_BREAK = '\n\f\n';

/** A passage lies within one part: a small file of a million cells would fill the index. */
const MAX_PARTS = 20_000;

/** The parts of a file (its pages) as one text, with where headings begin in each. */
export function joinParts(parts: string[], headingsOf: ReadonlySet<number>[] = []): Decoded {
  refuseMany(parts);
  const partStarts: number[] = [];
  const headings = new Set<number>();
  let length = 0;
  for (const [index, part] of parts.entries()) {
    partStarts.push(length);
    for (const at of headingsOf[index] ?? []) headings.add(length + at);
    length += part.length + PART_BREAK.length;
  }
  return { text: parts.join(PART_BREAK), partStarts, headings };
}

/** Before they are read, where one may stand in a list as often as it likes. */
export function refuseMany(parts: string[]): void {
  if (parts.length > MAX_PARTS) throw new Unreadable('size', `more than ${MAX_PARTS} pages, slides or cells`);
}

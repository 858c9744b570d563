import { InvalidInput } from '../errors.ts';
import { type KnownFormat, runReaders } from './all-formats.ts';
import { decodeSource } from './decode-source.ts';
import type { Decoded, ReadRun } from './format.ts';

/** What is read out of a file: the text that is cut into passages, and how its places map to the source text. */
export interface Extracted {
  format: KnownFormat;
  /** The text that positions of passages refer to: the decoded file, or what was made of its bytes. */
  source: string;
  text: string;
  /** Pieces of `text` in order with their places in `source`; one piece when both are the same. */
  pieces: Piece[];
  /** Where in `text` its parts begin (pages); empty where the unit is the line. */
  partStarts: number[];
  /** Where in `text` a heading begins, for formats whose text does not show it. */
  headings: Set<number>;
}

export interface Piece {
  textStart: number;
  sourceStart: number;
  sourceEnd: number;
  /** False for a decoded entity. */
  verbatim: boolean;
}

/** Throws InvalidInput with the reason when the file holds no text that can be read. */
export async function extract(format: KnownFormat, bytes: Uint8Array): Promise<Extracted> {
  const decoded = await decodeSource(format, bytes);
  if (decoded === undefined) throw new InvalidInput('binary: not text in any known encoding');
  return format.content === 'markup'
    ? joinRuns(format, decoded.text, runReaders[format.name](decoded.text))
    : whole(format, decoded);
}

function whole(format: KnownFormat, { text, partStarts, headings = new Set() }: Decoded): Extracted {
  const pieces = [{ textStart: 0, sourceStart: 0, sourceEnd: text.length, verbatim: true }];
  return { format, source: text, text, pieces, partStarts, headings };
}

const BREAKS = ['', '\n', '\n\n'] as const;

/** The readable text; white space that a browser would fold is folded, every piece knows its place in the source. */
function joinRuns(format: KnownFormat, source: string, runs: ReadRun[]): Extracted {
  const pieces: Piece[] = [];
  const headings = new Set<number>();
  const parts: string[] = [];
  let length = 0;
  for (const run of runs) {
    const separator = length === 0 ? '' : BREAKS[run.breakBefore];
    if (run.text.trim() === '' && separator !== '') continue;
    parts.push(separator, run.text);
    length += separator.length;
    if (run.breakBefore === 2) headings.add(length);
    const verbatim = source.slice(run.start, run.end) === run.text;
    pieces.push({ textStart: length, sourceStart: run.start, sourceEnd: run.end, verbatim });
    length += run.text.length;
  }
  return { format, source, text: parts.join(''), pieces, partStarts: [], headings };
}

/** Where a stretch of the text came from in the source. A decoded entity is taken whole. */
export function sourceRange({ pieces, text, source }: Extracted, start: number, end: number) {
  if (text === source) return { start, end };
  const first = pieceAt(pieces, start);
  const last = pieceAt(pieces, end - 1);
  if (first === undefined || last === undefined) return { start: 0, end: 0 };
  return {
    start: first.verbatim ? first.sourceStart + (start - first.textStart) : first.sourceStart,
    // A passage ends in a character that is read, but the break behind a piece would lie beyond it.
    end: last.verbatim ? Math.min(last.sourceStart + (end - last.textStart), last.sourceEnd) : last.sourceEnd,
  };
}

function pieceAt(pieces: Piece[], offset: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.textStart ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

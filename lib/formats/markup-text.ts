import type { ReadRun } from './format.ts';
import type { PieceOfText } from './places.ts';

/** The readable text of a source with markup. */
export interface MarkupText {
  text: string;
  /**
   * Its pieces in order, packed (places.ts), because passing tens of thousands of objects between processes
   * is slow.
   */
  places: Uint32Array;
  /** The positions in `text` at which headings start. */
  headings: Set<number>;
}

const BREAKS = ['', '\n', '\n\n'] as const;

/** Collapses white space like a browser. Every piece keeps its position in the source. */
export function joinRuns(source: string, runs: ReadRun[]): MarkupText {
  const places: PieceOfText[] = [];
  const headings = new Set<number>();
  const parts: string[] = [];
  let length = 0;
  for (const run of runs) {
    const separator = length === 0 ? '' : BREAKS[run.breakBefore];
    if (run.text.trim() === '' && separator !== '') continue;
    parts.push(separator, run.text);
    length += separator.length;
    if (run.breakBefore === 2) headings.add(length);
    places.push([length, run.start, run.end, isVerbatim(source, run) ? 1 : 0]);
    length += run.text.length;
  }
  return { text: parts.join(''), places: Uint32Array.from(places.flat()), headings };
}

export function isVerbatim(source: string, { start, end, text }: ReadRun): boolean {
  return source.slice(start, end) === text;
}

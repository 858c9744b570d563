/** The lines of a citation, and the columns of its quote in them. */
export interface Mark {
  from: number;
  to: number;
  quote?: string;
  /** The page, from 1, for a file that has pages. */
  page?: number;
}

export type Span = [start: number, end: number];

/**
 * Finds the quote in the lines, by line number from 1: first from the cited line on, then anywhere, and
 * finally with every run of white space as one space. Returns nothing for a quote that isn't found; its lines
 * are marked instead.
 */
export function quoteSpans(lines: readonly string[], { from, quote = '' }: Mark): Map<number, Span> {
  const text = lines.join('\n');
  const wanted = quote.trim();
  if (wanted === '') return new Map();
  const near = offsetOf(lines, from);
  const found = [text.indexOf(wanted, near), text.indexOf(wanted)].find((place) => place >= 0);
  if (found !== undefined) return spread(lines, found, found + wanted.length);
  const loose = looselyFound(text, wanted);
  return loose === undefined ? new Map() : spread(lines, ...loose);
}

function offsetOf(lines: readonly string[], line: number): number {
  return lines.slice(0, Math.max(0, line - 1)).reduce((sum, { length }) => sum + length + 1, 0);
}

function looselyFound(text: string, wanted: string): Span | undefined {
  const words = wanted.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length > 400) return undefined;
  const match = new RegExp(words.join('\\s+')).exec(text);
  return match === null ? undefined : [match.index, match.index + match[0].length];
}

function spread(lines: readonly string[], start: number, end: number): Map<number, Span> {
  const spans = new Map<number, Span>();
  let offset = 0;
  for (const [place, line] of lines.entries()) {
    if (offset >= end) break;
    const first = Math.max(0, start - offset);
    const last = Math.min(line.length, end - offset);
    if (first < last) spans.set(place + 1, [first, last]);
    offset += line.length + 1;
  }
  return spans;
}

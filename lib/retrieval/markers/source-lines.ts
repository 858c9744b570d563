import type { FoundNames } from './passage-names.ts';

interface MarkerInLine {
  before: string;
  whole: string;
  after: string;
  isWhole: boolean;
}

/** A line with only markers and file names. */
export interface ListLine {
  /** The numbers of the passages of the files that it names, from 1. */
  named: number[];
  /** True if it contains only markers, apart from file names that code has already replaced. */
  isBare: boolean;
  /** True if the line may answer the question, because it names a file with its citation. */
  isAnswer: boolean;
}

/** The maximum length of a line in a source list, in characters. */
const MAX_LINE = 400;
/** Matches a heading of at most three words: `Sources:`, `## References`, `**Works cited**`, `来源：`. */
const WORDS = String.raw`[\p{L}\p{M}]+(?:[ ’'-][\p{L}\p{M}]+){0,2}`;
const HEADING = new RegExp(
  `^[\\s>]*(?:#{1,6}\\s+${WORDS}[:：]?|\\*\\*${WORDS}[:：]?\\*\\*[:：]?|${WORDS}\\s?[:：])\\s*`,
  'u',
);
const BULLET = /^[\s>]*(?:[-*+•]|\d{1,3}[.)])\s+/u;
const MARKER = /[[［【(（<]\D{0,24}\d[\d\s,，、;–-]{0,40}(?:†[^\]】]{0,40})?[\]］】)）>]/gu;
/** A location such as `lines 3-5`. */
const PLACE = /\p{L}+\.?\s*\d+(?:\s*[–-]\s*\d+)?/gu;

/**
 * Reads the line of a marker. Undefined if the line contains other text, and is therefore prose. `undecided`
 * if the line may continue. A line with only markers belongs to a source list if a short heading precedes it.
 */
export function readListLine(
  { before, whole, after, isWhole }: MarkerInLine,
  findNames: (text: string) => FoundNames,
): ListLine | 'undecided' | undefined {
  const from = before.lastIndexOf('\n') + 1;
  if (before.length - from > MAX_LINE) return undefined;
  const lead = before.slice(from).replace(BULLET, '');
  const heading = HEADING.exec(lead)?.[0] ?? '';
  const own = readBare(lead.slice(heading.length), findNames);
  if (own === undefined) return undefined;
  const end = after.indexOf('\n');
  if (end < 0 && !isWhole && after.length < MAX_LINE) return 'undecided';
  const rest = readBare(`${whole} ${end < 0 ? after : after.slice(0, end)}`, findNames);
  const isHeaded = heading !== '' || isBelowHeading(before.slice(0, from).split('\n'), findNames);
  if (rest === undefined || (own.length + rest.length === 0 && !isHeaded)) return undefined;
  const isBare = rest.length === 0 && findNames(lead.replace(/`[^`]*`/g, '')).names.length === 0;
  return { named: [...own, ...rest], isBare, isAnswer: !isHeaded && own.length > 0 };
}

/** Returns the names in a text that contains nothing else except markers and locations. */
function readBare(text: string, findNames: (text: string) => FoundNames): number[] | undefined {
  const { names, rest } = findNames(text.replaceAll('`', ''));
  const isBare = !/[\p{L}\p{N}]/u.test(rest.replace(MARKER, '').replace(PLACE, ''));
  return isBare ? names.flatMap(({ numbers }) => numbers) : undefined;
}

function isBelowHeading(above: string[], findNames: (text: string) => FoundNames): boolean {
  for (const line of above.toReversed()) {
    if (HEADING.exec(line)?.[0].length === line.length && line.trim() !== '') return true;
    const bare = line.replace(BULLET, '');
    if (bare.trim() !== '' && readBare(bare, findNames) === undefined) return false;
  }
  return false;
}

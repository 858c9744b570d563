import { Unreadable } from '../../errors.ts';
import type { TextRun } from '../../formats/format.ts';
import { lineAt } from '../../formats/lines.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import type { QuotableFile } from '../../retrieval/cite/sources.ts';
import { isKeptShort } from '../records/keep-quotes.ts';
import type { Quote, QuotePlace } from '../records/schema.ts';
import { type FoundRun, findRuns, type Wanted } from './find-runs.ts';

/** The time limit for the quotes of one file, in milliseconds. */
const FIND_MS = 60_000;
/**
 * The maximum product of characters and quotes to search in this thread. A larger product is searched in
 * another process.
 */
const SEARCHED_HERE = 50_000;

export interface FindOptions {
  /** The time limit in milliseconds. */
  timeoutMs?: number;
  /** The same as in `TaskOptions`: searches of one workspace run one after another. */
  whose?: string;
}

/** The place of a quote. */
export interface FoundQuote {
  place: QuotePlace & { fileHash: string };
  isCut: boolean;
}

/**
 * Returns the current places of quotes in a file, nearest to the lines where they were. A place within a word
 * counts if no version is known to contain the quote yet, if this is that version, or if the quote was
 * already within a word. Undefined if the search takes too long.
 */
export async function findAsQuoted(
  source: QuotableFile,
  quotes: Quote[],
  options?: FindOptions,
): Promise<(FoundQuote | undefined)[] | undefined> {
  const wanted = quotes.map((quote) => asWanted(source, quote));
  const found = await findInText(source, wanted, options);
  return found?.map((run) => run && { place: placeOf(source, run), isCut: run.isCut });
}

function asWanted({ lines, hash }: QuotableFile, { quote, startLine, isCut, fileHash }: Quote): Wanted {
  const isKnown = fileHash === null || fileHash === hash;
  const mayBeCut = isCut ? 'yes' : isKnown ? 'else' : 'no';
  return { quote, expected: lines[startLine - 1] ?? 0, isKeptShort: isKeptShort(quote), mayBeCut };
}

/** Finds whole quotes anywhere in a file. Undefined if the search takes too long. */
export async function findWholeQuotes(
  source: QuotableFile,
  quotes: string[],
  options?: FindOptions,
): Promise<(TextRun | undefined)[] | undefined> {
  const wanted = quotes.map((quote) => {
    return { quote, expected: 0, isKeptShort: isKeptShort(quote), mayBeCut: 'no' as const };
  });
  return findInText(source, wanted, options);
}

async function findInText(
  { text, runs }: QuotableFile,
  wanted: Wanted[],
  { timeoutMs = FIND_MS, whose }: FindOptions = {},
): Promise<(FoundRun | undefined)[] | undefined> {
  if (text.length * wanted.length <= SEARCHED_HERE) return findRuns({ text, runs }, wanted);
  const { program } = await import('./find-runs-program.ts');
  const edges = Uint32Array.from(runs.flatMap(({ start, end }) => [start, end]));
  const options = { timeoutMs, ...(whose !== undefined && { whose }) };
  try {
    return await runIsolated(program, 'findRunsIn', { text, edges, wanted }, options);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

export function placeOf(source: QuotableFile, run: TextRun): QuotePlace & { fileHash: string } {
  return {
    startLine: lineAt(source.lines, run.start),
    endLine: lineAt(source.lines, run.end - 1),
    part: source.partAt(run) ?? {},
    fileHash: source.hash,
  };
}

import type { TextRun } from '../formats/format.ts';
import { lineAt } from '../formats/lines.ts';
import { isKeptShort } from '../quotations/keep-quotes.ts';
import type { Quote, QuotePlace } from '../quotations/schema.ts';
import { cutsEnd, cutsStart } from '../retrieval/cite/cut-ends.ts';
import { nearestPlace } from '../retrieval/cite/nearest.ts';
import type { QuotableFile } from '../retrieval/cite/sources.ts';

/** Spellings of one quote that are looked at: they differ in whitespace. */
const MAX_SPELLINGS = 20;

/** A quote that is looked for. `isCut`: it was quoted from within a word or a number. */
type Wanted = Pick<Quote, 'quote' | 'startLine'> & { isCut?: boolean };

/**
 * Returns where a file contains a quote now, next to the line where it was; whitespace may differ, such as line breaks. `5 mg` isn't
 * in `1.5 mg`, and nothing holds right after a denial.
 */
export function findQuoteIn(source: QuotableFile, wanted: Wanted): QuotePlace | undefined {
  const run = findRunOf(source, wanted);
  return run && placeOf(source, run);
}

/** The same, as characters. */
export function findRunOf(source: QuotableFile, wanted: Wanted): TextRun | undefined {
  const { quote, startLine, isCut = false } = wanted;
  const expected = source.lines[startLine - 1] ?? 0;
  const fits = (place: TextRun) => isCut || isWhole(source.text, place, quote);
  for (const spelling of spellings(source.text, quote)) {
    const run = nearestPlace(source, spelling, expected, fits);
    if (run !== undefined) return run;
  }
  return undefined;
}

export function placeOf(source: QuotableFile, run: TextRun): QuotePlace & { fileHash: string } {
  return {
    startLine: lineAt(source.lines, run.start),
    endLine: lineAt(source.lines, run.end - 1),
    part: source.partAt(run) ?? {},
    fileHash: source.hash,
  };
}

/**
 * The same in the version of the file that is known to contain the quote, or before any is known: there, a place within a word is
 * where it was quoted from, and later versions may have it so, too.
 */
export function findAsQuoted(
  source: QuotableFile,
  quote: Quote,
): { place: QuotePlace; isCut: boolean } | undefined {
  const whole = findQuoteIn(source, quote);
  if (whole !== undefined) return { place: whole, isCut: quote.isCut };
  const isKnown = quote.fileHash === null || quote.fileHash === source.hash;
  const cut = isKnown ? findQuoteIn(source, { ...quote, isCut: true }) : undefined;
  return cut && { place: cut, isCut: true };
}

const DENIED = /(?:[不没未无非]|(?<![\p{L}\p{M}])(?:not|never|no|cannot|without)\s+|n['’]t\s+)$/iu;
const LONGEST_DENIAL = 10;

function isWhole(text: string, place: TextRun, quote: string): boolean {
  if (cutsStart(text, place.start)) return false;
  if (!isKeptShort(quote) && cutsEnd(text, place.end)) return false;
  return !DENIED.test(text.slice(Math.max(0, place.start - LONGEST_DENIAL), place.start));
}

function* spellings(text: string, quote: string): Iterable<string> {
  if (text.includes(quote)) yield quote;
  const words = quote.trim().split(/\s+/).map(RegExp.escape);
  const found = new Set([quote]);
  for (const [spelling] of text.matchAll(new RegExp(words.join('\\s+'), 'g'))) {
    if (!found.has(spelling)) yield spelling;
    found.add(spelling);
    if (found.size > MAX_SPELLINGS) return;
  }
}

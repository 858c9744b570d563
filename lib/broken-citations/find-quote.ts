import { lineAt } from '../formats/lines.ts';
import type { QuotePlace } from '../quotations/schema.ts';
import { nearestPlace } from '../retrieval/cite/nearest.ts';
import type { QuotableFile } from '../retrieval/cite/sources.ts';

/** Spellings of one quote that are looked at: they differ in whitespace. */
const MAX_SPELLINGS = 20;

/** Returns where a file contains a quote now, next to the line where it was; whitespace may differ, such as line breaks. */
export function findQuoteIn(
  source: QuotableFile,
  { quote, startLine }: { quote: string; startLine: number },
): QuotePlace | undefined {
  const expected = source.lines[startLine - 1] ?? 0;
  for (const spelling of spellings(source.text, quote)) {
    const run = nearestPlace(source, spelling, expected);
    if (run === undefined) continue;
    return {
      startLine: lineAt(source.lines, run.start),
      endLine: lineAt(source.lines, run.end - 1),
      part: source.partAt(run) ?? {},
      fileHash: source.hash,
    };
  }
  return undefined;
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

import { findQuote, type QuoteSpan } from './pdf/find-quote.ts';

/** Matches Markdown syntax, or a link's target, whose characters don't appear in the rendered text. */
const MARKUP = /\]\((?:[^()\s]|\([^()\s]*\))*\)|^[ \t]*(?:#+|[-+]|\d+\.)\s|[*_`>|~[\]]/gm;

/**
 * Returns where a quote of Markdown source is in the rendered texts: all of the quote, or those of its lines
 * that are found.
 */
export function findRendered(items: readonly string[], quote: string): QuoteSpan[] {
  const wanted = quote.replace(MARKUP, '');
  const whole = findQuote(items, wanted);
  return whole.length > 0 ? whole : wanted.split('\n').flatMap((line) => findQuote(items, line));
}

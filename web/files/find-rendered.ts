import { findQuote, type QuoteSpan } from './pdf/find-quote.ts';

/** Markdown syntax, or the target of a link: these characters don't appear in the rendered text. */
const MARKUP = /\]\((?:[^()\s]|\([^()\s]*\))*\)|^[ \t]*(?:#+|[-+]|\d+\.)\s|[*_`>|~[\]]/gm;

/** Returns where a quote of a Markdown source is in its rendered texts: all of it, or its lines that are found. */
export function findRendered(items: readonly string[], quote: string): QuoteSpan[] {
  const wanted = quote.replace(MARKUP, '');
  const whole = findQuote(items, wanted);
  return whole.length > 0 ? whole : wanted.split('\n').flatMap((line) => findQuote(items, line));
}

import { flat } from '../../lib/api-contract/flat.ts';
import type { BrokenCitation, CitationNow } from '../broken-citations/queries.ts';
import type { Citation } from './message-view.ts';

/** Why a citation is no longer valid. */
export type Lost = NonNullable<Citation['lost']>;

/** Returns whether the file no longer has the quote. A retracted paper still has it. */
export function lacksQuote(lost: Lost | undefined): boolean {
  return lost !== undefined && lost !== 'retracted';
}

/**
 * Returns whether a text contains a quote, treating every run of white space as one space. A report's note
 * has only the start of a long quote.
 */
export function hasQuote(text: string, quote: string): boolean {
  return flat(text).includes(flat(quote.replace(/…$/, '')));
}

/** Minimum characters of the start to which the list shortens a long quote. */
const MIN_SHORTENED = 390;

/** Marks the citations of a document, and of their sentences, that are in the list of broken citations. */
export function markLost(
  citations: readonly Citation[],
  broken: readonly Pick<BrokenCitation, 'citation' | 'reason' | 'suggestion'>[],
): Citation[] {
  return citations.map((citation) => {
    const own = broken.filter((each) => isOf(each, citation));
    if (own.length === 0) return citation;
    const lostOf = (quote: string) => own.find((each) => isSame(each.citation.quote, quote));
    const mark = <Quoted extends { quote: string }>(quoted: Quoted) => {
      const { reason: lost, suggestion: now } = lostOf(quoted.quote) ?? {};
      return lost === undefined ? quoted : { ...quoted, lost, ...(now && { now }) };
    };
    return { ...mark(citation), ...(citation.claims && { claims: citation.claims.map(mark) }) };
  });
}

function isOf({ citation: { index, path } }: Pick<BrokenCitation, 'citation'>, of: Citation): boolean {
  return index === of.index && path === of.path;
}

function isSame(kept: string, quote: string): boolean {
  return kept === quote || (kept.length >= MIN_SHORTENED && quote.startsWith(kept.replace(/…$/, '')));
}

/** Returns citations with their current state. Unknown ones stay unchanged. */
export function withNow(
  citations: readonly Citation[],
  found: readonly (CitationNow | undefined)[],
): Citation[] {
  return citations.map((citation, at) => {
    const { state = 'unknown', place: now } = found[at] ?? {};
    if (state === 'unknown' || state === 'holds') return citation;
    return { ...citation, lost: state, ...(now && { now }) };
  });
}

/** Counts the lost quotes of a text, by the state of their files. */
export function countLost(citations: readonly Citation[]) {
  const lost = citations.map((each) => each.lost);
  const count = (...states: Lost[]) =>
    lost.filter((each) => each !== undefined && states.includes(each)).length;
  return {
    ...{ changed: count('changed'), deleted: count('deleted'), retracted: count('retracted') },
    moved: count('moved', 'updated'),
  };
}

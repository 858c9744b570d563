import { weightedTerms } from '../../retrieval/cite/terms.ts';
import { subjectMatter } from '../../support/rules/same-words.ts';

/** Omits numbers and dates, which are compared as facts. */
function wordsOf(text: string): string[] {
  return [...subjectMatter(text)].filter((word) => !/\d/.test(word));
}

/** Returns how much of a claim's subject a quote contains, from 0 to 1. */
export function coverageOf(claim: string, quote: string): number {
  const wanted = wordsOf(claim);
  if (wanted.length === 0) return 0;
  const said = new Set(wordsOf(quote));
  return wanted.filter((word) => said.has(word)).length / wanted.length;
}

/**
 * The minimum weight of a term. A lighter term is a function word, or a character that a pair of characters
 * already includes.
 */
const MEANS_SOMETHING = 1;
/**
 * The minimum share of a claim in a quote with the same number. Function words count little, and numbers
 * twice, because the check is about them.
 */
const WITH_NUMBER = 0.6;

/**
 * Returns whether a quote contains a number of a claim and most of the rest: `Agder | 1,250` for `Agder
 * protects 1,250 ha`.
 */
export function sharesNumber(claim: string, quote: string): boolean {
  const terms = weightedTerms(claim).filter(({ meaning }) => meaning > 0);
  const said = new Set([...weightedTerms(quote).map(({ text }) => text), ...wordsOf(quote)]);
  const shared = terms.filter(({ text }) => said.has(text) || wordsOf(text).some((word) => said.has(word)));
  const sum = (some: typeof terms) => some.reduce((all, { meaning }) => all + meaning, 0);
  const counted = shared.filter(({ meaning }) => meaning >= MEANS_SOMETHING);
  const numbers = counted.filter(({ text }) => /^\p{Nd}/u.test(text)).length;
  return sum(shared) >= WITH_NUMBER * sum(terms) && numbers > 0 && numbers < counted.length;
}

import { weightedTerms } from '../../retrieval/cite/terms.ts';
import { subjectMatter } from '../../support/rules/same-words.ts';

/** Numbers and dates are compared as facts. */
function wordsOf(text: string): string[] {
  return [...subjectMatter(text)].filter((word) => !/\d/.test(word));
}

/** Returns how much of what a claim is about a quote has, from 0 to 1. */
export function coverageOf(claim: string, quote: string): number {
  const wanted = wordsOf(claim);
  if (wanted.length === 0) return 0;
  const said = new Set(wordsOf(quote));
  return wanted.filter((word) => said.has(word)).length / wanted.length;
}

/** What a quote shares with a claim: of all that the claim says, numbers too, from 0 to 1, and how many words and numbers. */
export interface Shared {
  share: number;
  words: number;
  numbers: number;
  /** How many words the claim has. */
  all: number;
}

/** A term that means less is a small word, or a character that a pair of them says again. */
const MEANS_SOMETHING = 1;

/** Returns the share of a claim that a quote says. Small words count little, and numbers twice: they are what is checked. */
export function sharedOf(claim: string, quote: string): Shared {
  const terms = weightedTerms(claim).filter(({ meaning }) => meaning > 0);
  const said = new Set([...weightedTerms(quote).map(({ text }) => text), ...wordsOf(quote)]);
  const shared = terms.filter(({ text }) => said.has(text) || wordsOf(text).some((word) => said.has(word)));
  const sum = (some: { meaning: number }[]) => some.reduce((all, { meaning }) => all + meaning, 0);
  const isNumber = ({ text }: { text: string }) => /^\p{Nd}/u.test(text);
  const count = (some: typeof terms, ofNumbers: boolean) =>
    some.filter((term) => term.meaning >= MEANS_SOMETHING && isNumber(term) === ofNumbers).length;
  return {
    share: sum(shared) / Math.max(1, sum(terms)),
    words: count(shared, false),
    numbers: count(shared, true),
    all: count(terms, false),
  };
}

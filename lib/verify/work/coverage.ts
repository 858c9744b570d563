import { subjectMatter } from '../../claims/same-words.ts';

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

import { findQuote } from '../../../lib/retrieval/cite/quote.ts';
import type { Locate } from './quote-location.ts';

/** The product's method, and the simple methods that it must beat. */
export const WAYS = {
  findQuote: ({ text, claim }) => findQuote(text, [{ start: 0, end: text.length }], claim),
  'BM25 over sentences': bestBy(bm25),
  'longest overlap': bestBy((claim, sentences) => sentences.map((words) => longestRun(claim, words))),
  'most words in common (F)': bestBy((claim, sentences) => sentences.map((words) => likeness(claim, words))),
} satisfies Record<string, Locate>;

function bestBy(score: (claim: string[], sentences: string[][]) => number[]): Locate {
  return ({ text, sentences, claim }) => {
    const scores = score(
      wordsOf(claim),
      sentences.map(({ start, end }) => wordsOf(text.slice(start, end))),
    );
    const best = scores.indexOf(Math.max(...scores));
    return (scores[best] ?? 0) > 0 ? sentences[best] : undefined;
  };
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function bm25(claim: string[], sentences: string[][]): number[] {
  const average = sentences.reduce((sum, words) => sum + words.length, 0) / sentences.length;
  const sets = sentences.map((words) => new Set(words));
  const terms = [...new Set(claim)].map((term) => {
    const within = sets.filter((words) => words.has(term)).length;
    return { term, idf: Math.log(1 + (sets.length - within + 0.5) / (within + 0.5)) };
  });
  return sentences.map((words) =>
    terms.reduce((sum, { term, idf }) => {
      const times = words.filter((word) => word === term).length;
      const norm = 1.2 * (0.25 + (0.75 * words.length) / average);
      return sum + (idf * 2.2 * times) / (times + norm);
    }, 0),
  );
}

function longestRun(claim: string[], words: string[]): number {
  let longest = 0;
  let before: number[] = [];
  for (const word of words) {
    const runs = claim.map((other, at) => (other === word ? (before[at - 1] ?? 0) + 1 : 0));
    longest = Math.max(longest, ...runs);
    before = runs;
  }
  return longest;
}

function likeness(claim: string[], words: string[]): number {
  const [wanted, own] = [new Set(claim), new Set(words)];
  const shared = [...own].filter((word) => wanted.has(word)).length;
  return (2 * shared) / Math.max(1, wanted.size + own.size);
}

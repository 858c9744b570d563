import { stopWords } from './stop-words.ts';

/** An abbreviation is a term, even if its letters form a stop word: `IT`, `WHO`. */
const ABBREVIATION = /^[A-Z]{2,}$/;
const MAX_TERMS = 64;

let segmenter: Intl.Segmenter | undefined;

/** Returns the words that say what a question is about, as written, each once. */
export function termsOf(question: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const isShouted = !/\p{Ll}/u.test(question);
  const terms = new Map<string, string>();
  for (const { segment, isWordLike } of segmenter.segment(question)) {
    if (!isWordLike || terms.size >= MAX_TERMS) continue;
    const word = segment.replace(/['’](s|t|re|ve|ll|d|m)$/iu, '');
    const isTerm = !stopWords.has(word.toLowerCase()) || (ABBREVIATION.test(word) && !isShouted);
    if (isTerm) terms.set(word.toLowerCase(), word);
  }
  return [...terms.values()];
}

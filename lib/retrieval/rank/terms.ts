import { stopWords } from './stop-words.ts';

/** An abbreviation is a term, also where its letters make a stop word: `IT`, `WHO`. */
const ABBREVIATION = /^[A-Z]{2,}$/;
const MAX_TERMS = 64;

let segmenter: Intl.Segmenter | undefined;

/** The words of a question that say what it is about, as they stand there, each once. */
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

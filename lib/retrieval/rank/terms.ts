import { foldForSearch, foldText } from '../../api-contract/fold-text.ts';
import { isStopWord } from '../../api-contract/stop-words.ts';

/** An abbreviation is a term, even if its letters form a stop word: `IT`, `WHO`. */
const ABBREVIATION = /^[A-Z]{2,}$/;
const MAX_TERMS = 64;

let segmenter: Intl.Segmenter | undefined;

/**
 * The minimum number of terms in a long question. Repeated words of a long question show its subject; in a
 * shorter one, a repetition means nothing.
 */
const LONG = 24;

/** Returns the words that show a question's subject, as written, each once. */
export function termsOf(question: string): string[] {
  const terms = new Map<string, string>();
  for (const word of wordsOf(question)) {
    if (terms.size >= MAX_TERMS) break;
    terms.set(foldForSearch(word), word);
  }
  return [...terms.values()];
}

/** Returns the terms for the full-text index. A long question contains each term as often as it occurs. */
export function searchedTerms(question: string): string[] {
  const terms = termsOf(question);
  if (terms.length <= LONG) return terms;
  const known = new Set(terms.map(foldForSearch));
  return [...wordsOf(question)].filter((word) => known.has(foldForSearch(word)));
}

const IS_DIGIT = /\p{No}/u;

/**
 * Yields the words of a question, except stop words, as people type them: `CO2` for `CO₂`, and `47 kg` for
 * `47㎏`.
 */
function* wordsOf(question: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const isShouted = !/\p{Ll}/u.test(question);
  const typed = question.replace(/\p{No}+|\p{So}/gu, (sign) =>
    IS_DIGIT.test(sign) ? sign.normalize('NFKC') : ` ${sign} `,
  );
  for (const { segment, isWordLike } of segmenter.segment(foldText(typed).text)) {
    if (!isWordLike) continue;
    const word = segment.replace(/['’](s|t|re|ve|ll|d|m)$/iu, '');
    if (!isStopWord(word) || (ABBREVIATION.test(word) && !isShouted)) yield word;
  }
}

import { foldForSearch } from '../../api-contract/fold-text.ts';
import { isFiller, stemOf } from './content-words.ts';
import { baseOf } from './irregular-verbs.ts';
import { isSmallWord } from './language.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const HAN_OR_KATAKANA = /(?![的了都也很就会是有在被由于个名位])[\p{Script=Han}\p{Script=Katakana}ー]/gu;
const SENTENCE_END = /(?<=[.!?]["'”’)]?)\s+|(?<=[。！？])|\n+(?![\p{Ll}\d])/u;

/**
 * Splits a text into sentences. A line that starts in lower case or with a digit continues the previous one.
 */
export function sentencesIn(text: string): string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence !== '');
}

/** The number of letters to keep of a word of another language, because inflection changes the rest. */
const STEM = 5;
const HANGUL_STEM = 2;
const ARABIC_STEM = 3;

/** Returns the stems of a sentence's content words; for Japanese and Chinese, the characters. */
export function subjectMatter(sentence: string): Set<string> {
  if (/[\p{Script=Hiragana}\p{Script=Han}]/u.test(sentence)) return signsOf(sentence);
  const words = sentence.match(WORD) ?? [];
  return new Set(
    words.filter((word) => word.length > 1 && !isFiller(word) && !isSmallWord(word)).map(wordRoot),
  );
}

function signsOf(sentence: string): Set<string> {
  return new Set([...(sentence.match(HAN_OR_KATAKANA) ?? []), ...(sentence.match(/[A-Za-z\d]+/g) ?? [])]);
}

/** Cached, because each check reads the same words again. Cleared when it is full. */
const roots = new Map<string, string>();
const MAX_ROOTS = 10_000;

export function wordRoot(word: string): string {
  const known = roots.get(word);
  if (known !== undefined) return known;
  const root = rootOf(word);
  if (roots.size >= MAX_ROOTS) roots.clear();
  roots.set(word, root);
  return root;
}

function rootOf(word: string): string {
  const lower = baseOf(word.toLowerCase());
  if (/\p{Script=Hangul}/u.test(word)) return word.slice(0, HANGUL_STEM);
  if (/^[a-z]+$/.test(lower)) return stemOf(lower).slice(0, STEM);
  const bare = foldForSearch(lower).replace(/^ال/u, '');
  return bare.slice(0, /\p{Script=Arabic}/u.test(bare) ? ARABIC_STEM : STEM);
}

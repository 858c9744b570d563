import { isFiller, stemOf } from './content-words.ts';
import { isSmallWord } from './language.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const HAN_OR_KATAKANA = /(?![的了都也很就会是有在被由于个名位])[\p{Script=Han}\p{Script=Katakana}ー]/gu;
const SENTENCE_END = /(?<=[.!?]["'”’)]?)\s+|(?<=[。！？])|\n+(?![\p{Ll}\d])/u;

/** The sentences of a text. A line that continues in lower case or with a digit was wrapped. */
export function sentencesIn(text: string): string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence !== '');
}

/** How many letters of a word of another language remain when it is inflected. */
const STEM = 5;
const HANGUL_STEM = 2;
const ARABIC_STEM = 3;

/** The words that say what a sentence is about, as far as inflection leaves them; of Japanese and Chinese, the characters. */
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

export function wordRoot(word: string): string {
  const lower = word.toLowerCase();
  if (/\p{Script=Hangul}/u.test(word)) return word.slice(0, HANGUL_STEM);
  if (/^[a-z]+$/.test(lower) && lower.length <= STEM) return stemOf(lower);
  const bare = lower.normalize('NFKD').replace(/\p{M}/gu, '').replace(/^ال/u, '');
  return bare.slice(0, /\p{Script=Arabic}/u.test(bare) ? ARABIC_STEM : STEM);
}

/** Whether two sentences are about the same, and neither about more: so much of each is in the other. */
export function isSameMatter(one: Set<string>, other: Set<string>, share: number): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared > 1 && shared >= share * one.size && shared >= share * other.size;
}

import { LRUCache } from 'lru-cache';
import { foldForSearch } from '../../api-contract/fold-text.ts';
import { isFiller, stemOf } from './content-words.ts';
import { baseOf } from './irregular-verbs.ts';
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

/** Each check reads the same words again. */
const roots = new LRUCache<string, string>({ max: 5000 });

export function wordRoot(word: string): string {
  const known = roots.get(word);
  if (known !== undefined) return known;
  const root = rootOf(word);
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

/** Whether two sentences are about the same, and neither about more: so much of each is in the other. */
export function isSameMatter(one: Set<string>, other: Set<string>, share: number): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared > 1 && shared >= share * one.size && shared >= share * other.size;
}

/** How many letters the forms of a verb share: `vio`, `vieron`. */
const SHARED_LETTERS = 2;

/** Whether the words of a sentence have a word in some form; of Chinese, all of its characters. */
export function isIn(matter: Set<string>): (word: string) => boolean {
  return (word) => {
    if (/\p{Script=Han}/u.test(word)) return [...word].every((sign) => matter.has(sign));
    return [...matter].some((other) => other.startsWith(word.slice(0, SHARED_LETTERS)));
  };
}

/** Whether each has a word that the other lacks: of `all survived` and `none died`, neither denies the other. */
export function differs(one: Set<string>, other: Set<string>): boolean {
  return ![...one].every(isIn(other)) && ![...other].every(isIn(one));
}

/** The longest sentences whose order of words is compared. */
const MAX_ORDERED = 60;
/** How many of the words, in this order. */
const IN_ORDER = 0.8;
/** Two words that both have elsewhere are exchanged: `A came before B` is `B came after A`. */
const MOVED = 2;
const PLACE = ' ‡ ';
/** Words that turn, take back, or limit what a sentence says. */
const TURNS =
  /^(?:not|no|nor|never|neither|none|without|hardly|barely|nearly|almost|cannot|lack|absen|stop|quit|cease|avoid|preve|fail|false|falsely|myth|if|unless|wheth|excep|only|again|decli|refus|rejec|deny|denie|oppos|but)/u;

/**
 * Whether two sentences have the same words in the same order, but for the words that say opposite things. `one` and `other` say which
 * these are in each.
 */
export function isSameBut(
  [sentence, one]: [text: string, words: RegExp],
  [quote, other]: [text: string, words: RegExp],
): boolean {
  const own = rootsInOrder(sentence.replaceAll(one, PLACE));
  const said = rootsInOrder(quote.replaceAll(other, PLACE));
  const longest = Math.max(own.length, said.length);
  if (longest > MAX_ORDERED || Math.min(own.length, said.length) < IN_ORDER * longest) return false;
  const shared = commonInOrder(own, said);
  const isTurned = [...own, ...said].some((root) => TURNS.test(root) && !shared.includes(root));
  const moved = without(own, shared).filter((root) => without(said, shared).includes(root));
  return !isTurned && moved.length < MOVED && shared.length >= IN_ORDER * longest;
}

/** What is left of a list without some words, each as often as it is there. */
export function without(words: string[], some: string[]): string[] {
  const left = [...words];
  for (const word of some) if (left.includes(word)) left.splice(left.indexOf(word), 1);
  return left;
}

function rootsInOrder(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+|‡/gu) ?? [];
  return words.flatMap((word) => {
    if (/\p{Script=Han}/u.test(word)) return [...word];
    return isFiller(word) || isSmallWord(word) ? [] : [wordRoot(word)];
  });
}

/** The longest sequence of words that both have in this order. */
function commonInOrder(one: string[], other: string[]): string[] {
  let row: string[][] = [[], ...other.map(() => [])];
  for (const word of one) {
    const next: string[][] = [[]];
    for (const [at, each] of other.entries()) {
      const [left = [], above = [], before = []] = [next[at], row[at + 1], row[at]];
      if (each === word) next.push([...before, word]);
      else next.push(left.length > above.length ? left : above);
    }
    row = next;
  }
  return row.at(-1) ?? [];
}

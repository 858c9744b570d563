import { LRUCache } from 'lru-cache';
import { foldForSearch } from '../../api-contract/fold-text.ts';
import { withoutEnding } from '../../support/rules/content-words.ts';

/** A word of a text, or two adjacent ones. */
export interface Term {
  text: string;
  /** The meaning that the term has in any document. 0 for a pair, because its words already count. */
  meaning: number;
  /** The weight of the term if both texts have it. */
  weight: number;
}

/** Words, and characters of scripts without spaces, that any two texts share. */
const COMMON = new Set([
  ...'a about all also an and any are as at be been being but by can could did do does for from had has have he her his how if in into is it its may might more most much must no nor not of on one only or other our out over she should so some such than that the their them then there these they this those to too under up upon us use used uses using very was we were what when where which while who whom whose will with within would you your'.split(
    ' ',
  ),
  ...'的了是在有和与及不也就都而或其该这那个一种为以于对从到中上下由被把将会能可并等年月日のはがをにでとも',
]);
const OF_COMMON = 0.1;
/** The weight of a character, which means less than a word. Two adjacent characters count as a word. */
const OF_CHARACTER = 0.3;
const NUMBER = 2;
/** The weight of two adjacent words, in addition to each of them. */
const OF_PAIR = 0.5;

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const WORD = new RegExp(
  `(?<unspaced>[${UNSPACED}])|\\p{Nd}+(?:[.,]\\p{Nd}+)*|[[\\p{L}\\p{M}\\p{N}]--[${UNSPACED}]]+`,
  'gv',
);

/** A word of a text, or a character of a script without spaces, in the form for comparison. */
export interface WordOfText {
  text: string;
  shown: string;
  isUnspaced: boolean;
  /** True if any two texts share it. */
  isCommon: boolean;
}

/** Matches the `A` of `drug A`, which isn't an article. */
const LABEL = /(?<=\s)\p{Lu}(?![\p{L}\p{N}])/gu;

/** Returns the words of a text in order. */
export function wordsOfText(text: string): WordOfText[] {
  const labels = new Set((text.match(LABEL) ?? []).map((label) => label.toLowerCase()));
  return [...foldForSearch(text).matchAll(WORD)].map((found) => {
    const { text: compared, meaning, isUnspaced } = readWord(found);
    const isCommon = meaning === OF_COMMON && !labels.has(compared);
    return { text: compared, shown: found[0], isUnspaced, isCommon };
  });
}

/** Cached, because the sentences of a passage are compared with each sentence that cites it. */
const known = new LRUCache<string, Term[]>({
  maxSize: 250_000, // in characters, each of which takes some twenty bytes
  sizeCalculation: (_, text) => text.length + 10,
  memoMethod: readTerms,
});

/** Returns the distinct terms of a text. */
export function weightedTerms(text: string): Term[] {
  return known.memo(text);
}

function readTerms(text: string): Term[] {
  const terms = new Map<string, Term>();
  let before: Word | undefined;
  for (const found of foldForSearch(text).matchAll(WORD)) {
    const word = readWord(found);
    terms.set(word.text, word);
    const pair = before && pairOf(before, word);
    if (pair !== undefined) terms.set(pair.text, pair);
    before = word;
  }
  return [...terms.values()];
}

interface Word extends Term {
  isUnspaced: boolean;
  start: number;
  end: number;
}

function readWord({ 0: found, index, groups }: RegExpExecArray): Word {
  const isUnspaced = groups?.unspaced !== undefined;
  return { ...wordOf(found, isUnspaced), isUnspaced, start: index, end: index + found.length };
}

function wordOf(found: string, isUnspaced: boolean): Term {
  if (/^\p{Nd}/u.test(found)) return term(found.replaceAll(',', ''), NUMBER);
  const lower = found.toLowerCase();
  if (COMMON.has(lower)) return term(lower, OF_COMMON);
  return isUnspaced ? term(found, OF_CHARACTER) : term(withoutEnding(found), 1);
}

function term(text: string, meaning: number): Term {
  return { text, meaning, weight: meaning };
}

function pairOf(first: Word, second: Word): Term | undefined {
  if (first.isUnspaced !== second.isUnspaced) return undefined;
  const text = `${first.text} ${second.text}`;
  const least = Math.min(first.meaning, second.meaning);
  if (!first.isUnspaced) return { text, meaning: 0, weight: OF_PAIR * least };
  return first.end === second.start ? term(text, least / OF_CHARACTER) : undefined;
}

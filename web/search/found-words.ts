import { isStopWord } from '../../lib/api-contract/stop-words.ts';

export interface WordPiece {
  text: string;
  isFound: boolean;
}

const MAX_WORDS = 40;
const MIN_LETTERS = 3;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits a text so that words of the question are separate, without those that search ignores; a match extends to the end of its word: "owl" marks "owls". */
export function foundWords(text: string, question: string): WordPiece[] {
  const words = [...new Set(question.match(/[\p{L}\p{N}]+/gu) ?? [])].flatMap(patternsOf).slice(0, MAX_WORDS);
  if (words.length === 0) return [{ text, isFound: false }];
  const parts = text.split(new RegExp(`(${words.join('|')})`, 'giu'));
  return parts.flatMap((part, place) => (part === '' ? [] : [{ text: part, isFound: place % 2 === 1 }]));
}

function patternsOf(word: string): string[] {
  if (!WITHOUT_SPACES.test(word))
    return [...word].length < MIN_LETTERS || isStopWord(word) ? [] : [`(?<![\\p{L}\\p{N}])${word}\\p{L}*`];
  const letters = [...word];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, place) => letters[place] + letter);
}

/** Characters before the first word found that are shown of a passage. */
const BEFORE = 160;

/** The pieces from shortly before the first word found, where a passage has more text above it than is shown. */
export function fromFirstFound(pieces: readonly WordPiece[]): WordPiece[] {
  const [first, ...rest] = pieces;
  const isLate = first !== undefined && !first.isFound && first.text.length > 2 * BEFORE && rest.length > 0;
  if (!isLate) return [...pieces];
  const cut = first.text.length - BEFORE;
  const word = first.text.slice(cut).search(/(?<=\s)\S/);
  return [{ text: `… ${first.text.slice(cut + Math.max(0, word))}`, isFound: false }, ...rest];
}

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

/** Characters before the first word found that are shown of a passage, and lines. */
const BEFORE = 160;
const LINES_BEFORE = 2;

/** The pieces from shortly before the first word found: a card shows only the beginning of a passage. */
export function fromFirstFound(pieces: readonly WordPiece[]): WordPiece[] {
  const [first, ...rest] = pieces;
  if (first === undefined || first.isFound || rest.length === 0) return [...pieces];
  const start = startOf(first.text);
  return start === 0
    ? [...pieces]
    : [{ text: `… ${first.text.slice(start).trimStart()}`, isFound: false }, ...rest];
}

/** Where a text begins to be shown, at a whole word: 0 if it is short anyway. */
function startOf(text: string): number {
  const lines = text.split('\n');
  if (text.length <= 2 * BEFORE && lines.length <= LINES_BEFORE + 1) return 0;
  const line = text.length - lines.slice(-LINES_BEFORE).join('\n').length;
  const cut = Math.max(line, text.length - BEFORE);
  const word = cut === line ? 0 : text.slice(cut).search(/(?<=\s)\S/);
  return cut + Math.max(0, word);
}

import { foldForSearch, foldText } from '../../lib/api-contract/fold-text.ts';
import { isStopWord } from '../../lib/api-contract/stop-words.ts';

export interface WordPiece {
  text: string;
  isFound: boolean;
}

const MAX_WORDS = 40;
const MIN_LETTERS = 3;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Splits a text so that words of the question are separate pieces, except for words that search ignores. As
 * in search, case and accents don't matter. A match extends to the end of its word: "owl" marks "owls".
 */
export function foundWords(text: string, question: string): WordPiece[] {
  const asked = foldForSearch(question).match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = [...new Set(asked)].flatMap(patternsOf).slice(0, MAX_WORDS);
  if (words.length === 0) return [{ text, isFound: false }];
  const folded = foldText(text, { as: 'search' });
  const pieces: WordPiece[] = [];
  let from = 0;
  for (const { 0: word, index } of folded.text.matchAll(new RegExp(words.join('|'), 'gu'))) {
    const place = folded.placeOf(index, index + word.length);
    if (place === undefined) continue;
    pieces.push({ text: text.slice(from, place.start), isFound: false });
    pieces.push({ text: text.slice(place.start, place.end), isFound: true });
    from = place.end;
  }
  pieces.push({ text: text.slice(from), isFound: false });
  return pieces.filter((piece) => piece.text !== '');
}

function patternsOf(word: string): string[] {
  if (!WITHOUT_SPACES.test(word))
    return [...word].length < MIN_LETTERS || isStopWord(word) ? [] : [`(?<![\\p{L}\\p{N}])${word}\\p{L}*`];
  const letters = [...word];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, place) => letters[place] + letter);
}

/** Maximum characters, and lines, shown before the best match of a passage. */
const BEFORE = 160;
const LINES_BEFORE = 2;
/** Approximate number of characters on a card. */
const SHOWN = 240;

/**
 * Returns the pieces from shortly before the position with most of the question's words, because a card shows
 * only part of a passage.
 */
export function fromBestMatch(pieces: readonly WordPiece[]): WordPiece[] {
  const start = startOf(textOf(pieces.slice(0, bestMatch(pieces))));
  if (start === 0) return [...pieces];
  const [first = { text: '', isFound: false }, ...rest] = piecesFrom(pieces, start);
  const begun = { ...first, text: first.text.trimStart() };
  return first.isFound
    ? [{ text: '… ', isFound: false }, begun, ...rest]
    : [{ ...begun, text: `… ${begun.text}` }, ...rest];
}

function textOf(pieces: readonly WordPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/**
 * Returns the match that is followed by the most different words, including itself. Of several, returns the
 * first.
 */
function bestMatch(pieces: readonly WordPiece[]): number {
  let best = { at: 0, words: 0 };
  for (const [at, piece] of pieces.entries()) {
    const words = piece.isFound ? wordsFrom(pieces, at) : 0;
    if (words > best.words) best = { at, words };
  }
  return best.at;
}

function wordsFrom(pieces: readonly WordPiece[], at: number): number {
  const words = new Set<string>();
  for (let place = at, length = 0; place < pieces.length && length < SHOWN; place += 1) {
    const { text = '', isFound = false } = pieces[place] ?? {};
    if (isFound) words.add(text.toLowerCase());
    length += text.length;
  }
  return words.size;
}

function piecesFrom(pieces: readonly WordPiece[], start: number): WordPiece[] {
  let at = 0;
  return pieces.flatMap(({ text, isFound }) => {
    const rest = text.slice(Math.max(0, start - at));
    at += text.length;
    return rest === '' ? [] : [{ text: rest, isFound }];
  });
}

/** Returns where to start showing a text, at the start of a word. 0 for a short text. */
function startOf(text: string): number {
  const lines = text.split('\n');
  if (text.length <= 2 * BEFORE && lines.length <= LINES_BEFORE + 1) return 0;
  const line = text.length - lines.slice(-LINES_BEFORE).join('\n').length;
  const cut = Math.max(line, text.length - BEFORE);
  const word = cut === line ? 0 : text.slice(cut).search(/(?<=\s)\S/);
  return cut + Math.max(0, word);
}

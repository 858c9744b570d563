import { type FoldedText, foldText } from '../../../lib/api-contract/fold-text.ts';

/** A range of one text on a page: characters from `start` to `end`, exclusive. */
export interface QuoteSpan {
  item: number;
  start: number;
  end: number;
}

/** Minimum letters of a match, because fewer letters occur anywhere. */
const MIN_LETTERS = 3;

interface Letters {
  text: string;
  /** The position of each letter: its item, start, and end. */
  places: QuoteSpan[];
}

/**
 * Matches characters to compare: no spaces, separators of cells, hyphens, or accents, even accents drawn
 * separately, one of which folds to `'`.
 */
const LETTER = /[^\s|\p{Pd}\p{M}\p{Sk}\u02C6\u02C7\p{C}']/gu;

/**
 * Finds a quote in the texts of a page, comparing only letters: without white space, hyphens, accents, or
 * case, with ligatures split, and repeated letters only once, because bold text may be made by drawing each
 * letter twice. The service and the browser split lines, words, and ligatures of a PDF differently.
 */
export function findQuote(items: readonly string[], quote: string): QuoteSpan[] {
  const wanted = lettersOf([quote]).text;
  if (wanted.length < MIN_LETTERS) return [];
  const page = lettersOf(items);
  const at = page.text.indexOf(wanted);
  return at < 0 ? [] : joinSpans(page.places.slice(at, at + wanted.length));
}

function lettersOf(items: readonly string[]): Letters {
  const letters: Letters = { text: '', places: [] };
  for (const [item, written] of items.entries()) {
    const folded = foldText(written, { as: 'search' });
    for (const { 0: letter, index } of folded.text.matchAll(LETTER)) {
      const place = placeAround(folded, index, letter.length);
      if (place !== undefined) addLetter(letters, letter, { ...place, item });
    }
  }
  return letters;
}

function addLetter(letters: Letters, letter: string, place: QuoteSpan): void {
  if (!letters.text.endsWith(letter)) {
    letters.text += letter;
    for (let count = 0; count < letter.length; count++) letters.places.push(place);
    return;
  }
  const last = letters.places.at(-1);
  if (last?.item === place.item) letters.places.splice(-1, 1, { ...last, end: place.end });
}

/** Maximum letters that one character may represent. */
const MAX_LETTERS = 4;

/** Returns the whole character that contains a letter, such as a ligature. */
function placeAround(
  { placeOf }: FoldedText,
  at: number,
  length: number,
): Omit<QuoteSpan, 'item'> | undefined {
  for (let more = 0; more < MAX_LETTERS; more++) {
    for (let before = more; before >= 0; before--) {
      const place = at < before ? undefined : placeOf(at - before, at - before + length + more);
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

function joinSpans(letters: QuoteSpan[]): QuoteSpan[] {
  const joined: QuoteSpan[] = [];
  for (const { item, start, end } of letters) {
    const last = joined.at(-1);
    if (last?.item === item) last.end = end;
    else joined.push({ item, start, end });
  }
  return joined;
}

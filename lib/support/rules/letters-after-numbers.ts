import type { Quantity } from './quantity.ts';

/** A letter that tells what a number is of, where it is no unit that is known: `3C`, `45 C`. */
export interface LetterAfterNumber {
  /** The number with its letter. */
  text: string;
  number: string;
  letter: string;
  /** Where the letter is. */
  start: number;
  end: number;
}

/** Not `A` and `I`, which may begin something else, nor the first letter of a name: `12 J. Smith`. */
const LETTER = /^\s?[B-HJ-Z](?![\p{L}\d'’&-]|\.\S|\.?\s\p{Lu})/u;

export function lettersAfter(quantities: Quantity[], text: string): LetterAfterNumber[] {
  if (/\p{Script=Han}/u.test(text)) return [];
  return quantities.flatMap(({ start, end: after, text: number }) => {
    const [found] = LETTER.exec(text.slice(after, after + 4)) ?? [];
    if (found === undefined || !/\d$/.test(text.slice(start, after))) return [];
    const end = after + found.length;
    return [{ text: text.slice(start, end).trim(), number, letter: found.trim(), start: end - 1, end }];
  });
}

/** Whether a text has the letter after a number, or after the sign of degrees. */
export function saysLetter(letter: string, text: string): boolean {
  return new RegExp(`[\\d°]\\s?${letter}(?![\\p{L}\\d])`, 'u').test(text.normalize('NFKC'));
}

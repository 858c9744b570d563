/** Scripts without spaces between words count per character. */
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

/**
 * Returns the different words of a text, in lower case: all of them, because two texts are compared. rank/terms.ts has the
 * terms of a question.
 */
export function differentWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORDS));
}

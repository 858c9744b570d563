/** Scripts without spaces between words count by character. */
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

/** The different words of a text, in lower case: all, for two texts are compared. rank/terms.ts has a question's terms. */
export function differentWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORDS));
}

import { baseOf } from './irregular-verbs.ts';

/** Stop words, which say little about the subject of a text. */
const FILLERS = new Set(
  'a an the to be been being have has had do does did any all of its their his her our my your this that these those yet longer ever even also still so much very really fully only it they we he she is are was were will would can could considered deemed regarded seen in on at for with by and or as'.split(
    ' ',
  ),
);
const WORD = /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu;

export function isFiller(word: string): boolean {
  return FILLERS.has(word.toLowerCase());
}

/**
 * Returns an English word without its ending, and a verb's base form. A word of another language is only lowercased.
 */
export function stemOf(word: string): string {
  return withoutEnding(baseOf(word.toLowerCase()));
}

/** Returns an English word without its ending. A word of another language is only lowercased. */
export function withoutEnding(word: string): string {
  const lower = word.toLowerCase().replace(/'s?$/, '');
  if (!/^[a-z]+$/.test(lower)) return lower;
  const bare = lower.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|ed|es|s|e)$/, '');
  return bare.length < 3 ? lower : bare;
}

/** Returns the stems of a text's content words. */
export function contentStems(text: string): Set<string> {
  const words = text.match(WORD) ?? [];
  return new Set(words.filter((word) => word.length > 2 && !isFiller(word)).map(stemOf));
}

/** The share of a sentence's content words that a quote about the same subject must contain. */
const SHARED = 0.6;

/** Returns whether a quote and a sentence are about the same subject. */
export function isAlike(own: Set<string>, said: Set<string>): boolean {
  const shared = [...own].filter((stem) => said.has(stem)).length;
  return shared > SHARED * own.size;
}

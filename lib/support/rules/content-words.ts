import { baseOf } from './irregular-verbs.ts';

/** Words that say little of what a text is about. */
const FILLERS = new Set(
  'a an the to be been being have has had do does did any all of its their his her our my your this that these those yet longer ever even also still so much very really fully only it they we he she is are was were will would can could considered deemed regarded seen in on at for with by and or as'.split(
    ' ',
  ),
);
const WORD = /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu;

export function isFiller(word: string): boolean {
  return FILLERS.has(word.toLowerCase());
}

/** A word without its English ending, and of a verb its base; of other languages in lower case. */
export function stemOf(word: string): string {
  return withoutEnding(baseOf(word.toLowerCase()));
}

/** A word without its English ending; of other languages in lower case. */
export function withoutEnding(word: string): string {
  const lower = word.toLowerCase().replace(/'s?$/, '');
  if (!/^[a-z]+$/.test(lower)) return lower;
  const bare = lower.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|ed|es|s|e)$/, '');
  return bare.length < 3 ? lower : bare;
}

/** The words that say what a text is about, by their stems. */
export function contentStems(text: string): Set<string> {
  const words = text.match(WORD) ?? [];
  return new Set(words.filter((word) => word.length > 2 && !isFiller(word)).map(stemOf));
}

/** How much of a sentence a quote has to say for what it says otherwise to be about the same. */
const SHARED = 0.6;

/** Whether a quote is about what a sentence is about. */
export function isAlike(own: Set<string>, said: Set<string>): boolean {
  const shared = [...own].filter((stem) => said.has(stem)).length;
  return shared > SHARED * own.size;
}

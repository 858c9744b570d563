import { OPENING } from './stands-alone.ts';

/** Words that a sentence may have more without saying anything else. */
const NEUTRAL = new Set(['also', 'indeed', '也']);
const QUOTES = /["“”„«»「」『』‹›‚]|(?<![\p{L}\p{N}])['‘’]|['‘’](?![\p{L}\p{N}])/gu;
const DASHES = /[‐‑‒–—−﹣]/gu;
/** Raised digits are no part of the number before them. */
const RAISED = /[⁰¹²³⁴-⁹]+/g;
/** Emphasis of Markdown around words: another `*` or `_` is part of a name, a product, or refers to a note. */
const EMPHASIS = /(?<![\p{L}\p{N}*_])(\*{1,3}|_{1,3})(?=\S)([^*_\n]+)(?<=\S)\1(?![\p{L}\p{N}*_])/gu;
/**
 * Words, numbers, and the marks that change what they say: quotation marks, commas, brackets, signs of notes, what tells `C#` from `C`
 * and `man-eating` from `man eating`, and a minus, also with a space after it.
 */
const TOKEN =
  /\p{Script=Han}|(?<![\p{L}\p{N}])\.(?=\d)|\d+(?:[.,:]\d+)*|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:'[\p{L}\p{M}]+)*|-(?=\s?\d)|(?<=\d\s?)-|(?<=[\p{L}\p{N}])(?:-(?=\p{L})|#)|(?<=\d)!|\\(?=[\p{L}\p{N}])|\.{2,}|["()[\]{},;:、/@&%‰§′*_†‡]|[^\s\p{P}]/gu;

/** Returns what a sentence is compared by. Capitals count, but for that of the first word: `WHO` isn't `who`. */
export function tokensOf(text: string): string[] {
  const plain = text
    .replace(RAISED, '^$&')
    .normalize('NFKC')
    .replace(QUOTES, '"')
    .replace(/[‘’]/g, "'")
    .replace(DASHES, '-')
    .trim();
  const shown = plain
    .replace(/^(?:#{1,6}|[-*+•](?!\s+\d)|\d{1,3}[.)])\s+/, '')
    .replace(EMPHASIS, ' $2 ')
    .replace(/`|^(?:\*+|_+)(?=\S)/g, ' ')
    .trim();
  const [first = '', ...others] =
    shown
      .replace(OPENING, '')
      .replace(/(?<![.,;:])[.,;:]+$/, '')
      .match(TOKEN) ?? [];
  return first === '' ? [] : [first.charAt(0).toLowerCase() + first.slice(1), ...others];
}

/** Whether a sentence has the wanted words in their order, and no other word that says anything. */
export function isSameOrder(wanted: string[], said: string[]): boolean {
  let next = 0;
  for (const word of said) {
    if (word === wanted[next]) next++;
    else if (!NEUTRAL.has(word)) return false;
  }
  return next > 0 && next === wanted.length;
}

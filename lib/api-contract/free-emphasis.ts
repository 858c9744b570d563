/** Emphasis marks. Underscores within a word don't count, in any script. */
const MARKS = /\*+|~+/g;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const NO_LETTER = /[\s\p{P}\p{S}]/u;
/**
 * Letters of caseless scripts, which don't put spaces between words, or attach articles and particles to a
 * word.
 */
const CASELESS = /[\p{Lo}\p{Lm}]/u;
/** Full-width punctuation, after which there is no space. */
const WIDE = /[\u2e80-\u30ff\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/;
/** The number of units to check on each side of a mark. */
const NEAR = 16;

/**
 * Puts `sign` next to emphasis marks that CommonMark would show as asterisks, because they are between
 * punctuation and a letter: `**“引号”**测试`, `**价格：**100元`, `و**«النص»**`. A Markdown reader must consider the
 * sign a letter. Words in scripts with case follow CommonMark's rule, and a mark after a backslash stays as
 * it is.
 */
export function freeEmphasis(text: string, sign: string): string {
  return text.replace(MARKS, (mark, at: number) => {
    const end = at + mark.length;
    const before = [...text.slice(Math.max(0, at - NEAR), at)].reverse();
    const after = [...text.slice(end, end + NEAR)];
    if (before[0] === '\\') return mark;
    return `${isBound(before, after) ? sign : ''}${mark}${isBound(after, before) ? sign : ''}`;
  });
}

/** Returns whether punctuation at `inner` binds the mark to the other side, where there is a letter. */
function isBound(inner: string[], outer: string[]): boolean {
  const [edge = ' '] = inner;
  if (!PUNCTUATION.test(edge) || NO_LETTER.test(outer[0] ?? ' ')) return false;
  return WIDE.test(edge) || isCaseless(outer) || isCaseless(inner);
}

/** Checks the script of the nearest letter of the same word. */
function isCaseless(side: string[]): boolean {
  const end = side.findIndex((character) => /\s/.test(character));
  const letter = side.slice(0, end === -1 ? side.length : end).find((character) => /\p{L}/u.test(character));
  return letter !== undefined && CASELESS.test(letter);
}

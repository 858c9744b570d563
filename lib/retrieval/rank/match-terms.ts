const ENDING = /(?:ies|ing|ed|es|s|e|y)$/;
/** A longer ending makes another word: `test`, `testament`. */
const MAX_ENDING = 4;
const LETTER = /[\p{L}\p{N}]/u;
const HAN = /\p{Script=Han}/u;

/** Returns where a term starts in a text, with any of its endings; -1 if it doesn't occur. */
export type TermFinder = (text: string, lower: string) => number;

/** Finds words roughly as the full-text index does: by their stems, at the start of a word or of a camel-case hump. */
export function findTerm(term: string): TermFinder {
  const lower = term.toLowerCase();
  if (HAN.test(term)) return (_, text) => text.indexOf(lower);
  const stem = lower.length > 4 ? lower.replace(ENDING, '') : lower.replace(/s$/, '');
  return (text, lowerText) => {
    for (let at = lowerText.indexOf(stem); at !== -1; at = lowerText.indexOf(stem, at + 1)) {
      if (beginsWord(text, at) && endsSoon(text, at + stem.length)) return at;
    }
    return -1;
  };
}

function beginsWord(text: string, at: number): boolean {
  const first = text.charAt(at);
  return at === 0 || !LETTER.test(text.charAt(at - 1)) || first !== first.toLowerCase();
}

function endsSoon(text: string, from: number): boolean {
  for (let at = from; at <= from + MAX_ENDING; at++) {
    const next = text.charAt(at);
    if (next === '' || !LETTER.test(next) || next !== next.toLowerCase()) return true;
  }
  return false;
}

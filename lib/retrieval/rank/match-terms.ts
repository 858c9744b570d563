import { foldForSearch } from '../../api-contract/fold-text.ts';
import { nextPlace } from '../../text/next-place.ts';

const ENDING = /(?:ies|ing|ed|es|s|e|y)$/;
/** The maximum length of an ending. A longer ending makes another word: `test`, `testament`. */
const MAX_ENDING = 4;
const LETTER = /[\p{L}\p{N}]/u;
const HAN = /\p{Script=Han}/u;

/** A text to search for terms. */
export interface TermText {
  /** The original text, if its folded form has the same length. */
  text: string;
  folded: string;
}

/** Matches text in which no word is hyphenated at a line end. */
const IS_PLAIN = /^(?!.*[a-z]-[ \t\r]*\n)\p{ASCII}*$/isu;

export function termText(text: string): TermText {
  if (IS_PLAIN.test(text)) return { text, folded: text.toLowerCase() };
  const folded = foldForSearch(text);
  return { text: folded.length === text.length ? text : folded, folded };
}

/**
 * Returns the position at which a term, with any of its endings, starts in the folded text; -1 if it doesn't
 * occur.
 */
export type TermFinder = (text: TermText) => number;

/** Finds words roughly like the full-text index: by their stems, at the start of a word or of a camel-case hump. */
export function findTerm(term: string): TermFinder {
  const lower = foldForSearch(term);
  if (HAN.test(term)) return ({ folded }) => folded.indexOf(lower);
  const stem = lower.length > 4 ? lower.replace(ENDING, '') : lower.replace(/(?<=.)s$/, '');
  return ({ text, folded }) => {
    for (let at = nextPlace(folded, stem); at !== -1; at = nextPlace(folded, stem, at)) {
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

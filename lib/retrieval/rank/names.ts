import { foldForSearch } from '../../api-contract/fold-text.ts';
import { nextPlace } from '../../text/next-place.ts';

/** Names from code or messages: `readFile`, `max_size`, `E1042`, `net::ERR_FAILED`. */
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:::|\.)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const IS_IDENTIFIER = /\p{Ll}\p{Lu}|\p{L}_\p{L}|\p{L}\d|::|^\p{Lu}{2,}_/u;
const MAX_IDENTIFIERS = 8;

/** Returns the identifiers of a question, each once. */
export function identifiersOf(question: string): string[] {
  const found = question.match(IDENTIFIER) ?? [];
  return [...new Set(found.filter((word) => IS_IDENTIFIER.test(word)))].slice(0, MAX_IDENTIFIERS);
}

/** Returns whether a text contains an identifier as a whole word, in the same case. */
export function holdsIdentifier(text: string, identifier: string): boolean {
  for (let at = nextPlace(text, identifier); at !== -1; at = nextPlace(text, identifier, at)) {
    if (!/[\p{L}\p{N}_$]/u.test(text.charAt(at - 1) + text.charAt(at + identifier.length))) return true;
  }
  return false;
}

/**
 * Returns a function that reports whether a question names a file: by its path, by its name, or by its name
 * without the extension if that isn't an ordinary word.
 */
export function fileNamer(question: string): (path: string) => boolean {
  const asked = foldForSearch(question);
  const known = new Map<string, boolean>();
  return (path) => {
    const isNamed = known.get(path) ?? namesFile({ question, asked }, path);
    known.set(path, isNamed);
    return isNamed;
  };
}

interface Question {
  question: string;
  /** The folded question. */
  asked: string;
}

function namesFile({ question, asked }: Question, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return holdsIdentifier(question, name) && name.length > 3 && name !== name.toLowerCase();
  if (holdsName(asked, name)) return true;
  const stem = name.slice(0, dot);
  return /[-_\d]|\p{Ll}\p{Lu}/u.test(stem) && stem.length > 3 && holdsName(asked, stem);
}

function holdsName(asked: string, name: string): boolean {
  const wanted = foldForSearch(name);
  const at = asked.indexOf(wanted);
  return at !== -1 && !/[\p{L}\p{N}_-]/u.test(asked.charAt(at - 1) + asked.charAt(at + wanted.length));
}

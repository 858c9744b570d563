import { lettersOf } from '../text/paper-identifiers.ts';
import { titleLikeness, wordsIn } from './compare-titles.ts';

/** The share of names of a reference that the record must lack. Catalogs leave out groups, and spell some differently. */
const MOST_UNKNOWN = 0.25;
/** The number of authors compared. */
const MAX_COMPARED = 50;

/**
 * Returns whether the authors of a reference may be those of a record: the first one is the same, and few are unknown.
 * Undefined if they can't be compared. Names are compared by their words, because each style has another order of given
 * and family names, and abbreviates others.
 */
export function haveSameAuthors(own: string, authors: string[], title = ''): boolean | undefined {
  const [first] = authors;
  const known = authors.slice(0, MAX_COMPARED).map(nameWords);
  const names = splitNames(own);
  const [leading] = names;
  if (first === undefined || leading === undefined) return undefined;
  // A reference without authors begins with its title.
  if ((titleLikeness(own, title) ?? 0) > 0.8) return undefined;
  if (isHan(own) !== isHan(authors.join(''))) return undefined;
  if (isHan(own)) return foldName(leading) === foldName(first);
  const unknown = names
    .slice(0, MAX_COMPARED)
    .filter((name) => !known.some((words) => shareWord(name, words)));
  return shareWord(leading, known[0] ?? []) && unknown.length < MOST_UNKNOWN * names.length;
}

function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

function foldName(name: string): string {
  return nameWords(name).join('');
}

/** Returns the words of a name. `ae`, `oe`, and `ue` are also spellings of umlauts. */
function nameWords(name: string): string[] {
  return wordsIn(name).map(({ word }) => word.replace(/(?<=[aou])e/g, ''));
}

/** Returns the names, without initials and remarks: `Smith, J. (Ed.), & van Dijk, A. et al.` has `Smith` and `van Dijk`. */
export function splitNames(written: string): string[] {
  return written
    .replace(/[(（[][^)）\]]{0,200}[)）\]]|\d+[a-z]?/gu, ' ')
    .replace(/(?:,|，|\s)\s*(?:et\s+al\b\.?|and\s+others\b)|[，,、]?\s*等\s*[.．]?\s*$/giu, ' ')
    .split(/[,;&，；、·]|\s(?:and|und|et|y)\s/iu)
    .map((name) => name.replace(/(?<!\p{L})\p{Lu}(?:\.|(?!\p{L}))[-\s]?/gu, ' ').trim())
    .map((name) => name.replace(/\s\p{Lu}{2,3}$/u, '').replace(/^\p{Lu}{2}(?=\s)/u, ''))
    .map((name) => name.replace(/^[.\s:]+|[.\s:]+$/g, ''))
    .filter((name) => /\p{L}{2}|\p{Script=Han}/u.test(name) && !/^\p{Lu}{2,3}$|^[JS]r$/u.test(name));
}

/** Returns whether two names have a family or given name in common, which either may have abbreviated. */
function shareWord(name: string, known: string[]): boolean {
  const letters = known.join('');
  const words = nameWords(name).filter(({ length }) => length > 1);
  if (words.length === 0) return true;
  return (
    words.some(
      (word) =>
        known.some(
          (other) => other === word || (word.length > 2 && other.length > 2 && isBeginning(word, other)),
        ) ||
        (word.length > 3 && letters.includes(word)),
    ) || letters === words.join('')
  );
}

function isBeginning(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** Returns whether a text names the venue, also by its initials or with abbreviated words. Undefined without letters. */
export function namesVenue(own: string, venue: string): boolean | undefined {
  if (isHan(own) !== isHan(venue)) return undefined;
  if (isHan(venue)) return lettersOf(own).includes(lettersOf(venue));
  const words = wordsIn(venue).map(({ word }) => word);
  const owned = wordsIn(own).map(({ word }) => word);
  const long = words.filter(({ length }) => length > 3);
  const letters = words.join('');
  const shared = long.filter((word) => owned.some((one) => one.length > 2 && isBeginning(one, word)));
  if (long.length > 0 && shared.length * 3 >= long.length) return true;
  const acronyms = own.match(/(?<!\p{L})\p{Lu}[\p{L}.]{0,10}\p{Lu}[\p{L}.]{0,4}/gu) ?? [];
  return (
    letters === owned.join('') ||
    acronyms.some((name) =>
      isWithin(
        wordsIn(name.replaceAll('.', ''))
          .map(({ word }) => word)
          .join(''),
        letters,
      ),
    )
  );
}

/** Returns whether the letters of a short name are in a longer one, in order, like those of `NeurIPS`. */
function isWithin(short: string, long: string): boolean {
  let at = 0;
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return short !== '';
}

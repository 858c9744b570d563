import { foldForSearch } from '../../api-contract/fold-text.ts';
import type { DatedDocument } from '../../documents/documents.ts';
import { SOURCES_FOLDER } from '../../documents/provenance.ts';
import { endOf, type SearchFilter, startOf } from './filter-schema.ts';

type Matches = (document: DatedDocument) => boolean;

/** Returns whether documents match a filter, prepared for many of them. */
export function documentMatcher({ kind, year, modified, author, tag, source, path }: SearchFilter): Matches {
  const tests: Matches[] = [];
  if (kind !== undefined) tests.push((document) => document.kind === kind);
  if (year !== undefined) tests.push((document) => isYearIn(year, document.year));
  if (modified !== undefined) tests.push(modifiedIn(modified));
  if (author !== undefined) tests.push(writtenBy(author));
  if (tag !== undefined) tests.push(taggedWith(tag));
  if (source !== undefined) tests.push(({ path }) => isInSource(source, path));
  if (path) tests.push((document) => isAtOrBelow(path, document.path));
  return (document) => tests.every((test) => test(document));
}

function isYearIn(
  { from = 0, to = Infinity }: { from?: number | undefined; to?: number | undefined },
  year: number | null,
) {
  return year !== null && from <= year && year <= to;
}

function modifiedIn(range: NonNullable<SearchFilter['modified']>): Matches {
  const [start, end] = [startOf(range), endOf(range)];
  return ({ modifiedMs }) => start <= modifiedMs && Math.floor(modifiedMs) <= end;
}

/** Names of sources are unique whatever their case. */
function isInSource(source: string, path: string): boolean {
  return isAtOrBelow(`${SOURCES_FOLDER}/${source}`.toLowerCase(), path.toLowerCase());
}

/** Compares paths in one Unicode form, because file names have the form that their system stores. */
function isAtOrBelow(folder: string, path: string): boolean {
  const [outer, inner] = [folder.normalize('NFC'), path.normalize('NFC')];
  return inner === outer || inner.startsWith(`${outer}/`);
}

function writtenBy(author: string): Matches {
  const asked = [...new Set(wordsOf(author))];
  return ({ authors }) => authors.some((name) => isNamed(asked, wordsOf(name).slice(0, MAX_NAME_WORDS)));
}

/** The maximum number of words of an author that are compared. Files may state names that have hundreds. */
const MAX_NAME_WORDS = 30;

/** Scripts that write a name without spaces, so that a word may be the family name or the given name of another. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

/** Returns whether the words of a name are in another, in any order. An initial matches a name, but not alone. */
function isNamed(asked: string[], name: string[]): boolean {
  if (asked.join('') === name.join('')) return true; // Korean names are written with and without a space
  return (
    asked.some((word) => name.some((own) => isWord(word, own))) &&
    asked.every((word) =>
      name.some((own) => isWord(word, own) || isInitial(word, own) || isInitial(own, word)),
    )
  );
}

function isWord(asked: string, own: string): boolean {
  return asked === own || (UNSPACED.test(asked) && (own.startsWith(asked) || own.endsWith(asked)));
}

function isInitial(letter: string, word: string): boolean {
  return letter.length === 1 && word.startsWith(letter);
}

function wordsOf(name: string): string[] {
  return foldForSearch(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Some programs store several tags as one text with commas. */
function taggedWith(tag: string): Matches {
  const asked = foldTag(tag);
  const isOne = (own: string) => own === asked || own.startsWith(`${asked}/`);
  return ({ tags }) => tags.flatMap((own) => [own, ...own.split(/[,;]/)]).some((own) => isOne(foldTag(own)));
}

function foldTag(tag: string): string {
  return foldForSearch(tag.replace(/^[#\s]+/, '').trimEnd());
}

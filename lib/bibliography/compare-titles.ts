import { foldForSearch } from '../api-contract/fold-text.ts';
import { lettersOf } from '../text/paper-identifiers.ts';
import { plainText } from './bib-file.ts';

/**
 * The minimum likeness of two spellings of one title, and of a title and a misquotation of it. Measured on the titles in
 * `test/lib/bibliography/title-pairs.ts`.
 */
export const SAME_TITLE = 0.925;
export const RELATED_TITLE = 0.7;
/** Letters that are compared. Longer titles differ in their beginning. */
const MAX_LETTERS = 300;
/** The minimum number of letters in a part of a title that stands for the whole. */
const MIN_PART = 12;
const MIN_PART_HAN = 4;
/** Where a subtitle, or a remark of the publisher, begins. */
const PART = /[:?!.。：？！;；(（[]\s*|\s+[-–—]+\s+|\s*—+\s*/gu;

/**
 * Returns the likeness of two titles, from 0 to 1: the share of letters that agree. Differences of spelling don't count,
 * nor does a subtitle that only one of them has, but different numbers do. Undefined for titles in different scripts.
 */
export function titleLikeness(one: string, other: string): number | undefined {
  const [a, b] = [readableTitle(one), readableTitle(other)];
  if (isHan(a) !== isHan(b)) return undefined;
  const [wholeA, wholeB] = [comparable(a), comparable(b)];
  const parts = (text: string, whole: string) => [whole, ...partsOf(text)];
  return Math.max(
    ...parts(a, wholeA).map((part) => likeness(part, wholeB)),
    ...parts(b, wholeB).map((part) => likeness(wholeA, part)),
  );
}

function isHan(text: string): boolean {
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) * 3 > text.length;
}

/** Returns a title without TeX and other markup. */
export function readableTitle(title: string): string {
  const plain = /[\\{}$]/.test(title) ? plainText(title).replace(/[$^_]/g, '') : title;
  return plain.replace(/\s+/g, ' ').trim();
}

/** Greek letters are often left out, or written in Latin. */
function comparable(title: string): string {
  const spelled = title.replace(/\s&\s/g, ' and ').replace(/\p{Script=Greek}/gu, '');
  return lettersOf(spelled.normalize('NFKD')).slice(0, MAX_LETTERS);
}

/** Returns the beginnings of a title up to a subtitle, and the rest after its first part. */
function partsOf(title: string): string[] {
  const marks = [...title.matchAll(PART)].slice(0, 5);
  const parts = marks.map(({ index }) => title.slice(0, index));
  const [first] = marks;
  if (first !== undefined) parts.push(title.slice(first.index + first[0].length));
  return parts.map(comparable).filter(isSpecific);
}

/** Returns whether letters are so many that another title rarely has the same. */
export function isSpecific(letters: string): boolean {
  return letters.length >= (/\p{Script=Han}/u.test(letters) ? MIN_PART_HAN : MIN_PART);
}

function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const length = Math.max(a.length, b.length);
  if (length === 0 || Math.min(a.length, b.length) < length * RELATED_TITLE) return 0;
  const same = 1 - distanceOf(a, b) / length;
  return digitsOf(a) === digitsOf(b) ? same : Math.min(same, SAME_TITLE - 0.01);
}

function digitsOf(letters: string): string {
  return letters.replace(/\D/g, '');
}

/** Returns the edit distance (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let at = 1; at <= b.length; at++) {
      const changed = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      current.push(Math.min(changed, (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}

/** Returns the words of a text; in Chinese, its characters. */
export function wordsIn(text: string): { word: string; start: number; end: number }[] {
  const found = text.matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu);
  return [...found].map(({ 0: word, index }) => ({
    ...{ word: foldForSearch(word), start: index, end: index + word.length },
  }));
}

/** Returns where a reference contains a title, between marks of punctuation. */
export function placeOfTitle(reference: string, title: string): { start: number; end: number } | undefined {
  const plain = readableTitle(title);
  const wanted = wordsIn(plain).map(({ word }) => word);
  if (!isSpecific(lettersOf(plain))) return undefined;
  const words = wordsIn(reference);
  for (const [at, { start }] of words.entries()) {
    if (!wanted.every((word, next) => words[at + next]?.word === word)) continue;
    const end = words[at + wanted.length - 1]?.end ?? 0;
    const isApart = !/^\s*\p{L}/u.test(reference.slice(end)) && !/\p{L}\s*$/u.test(reference.slice(0, start));
    if (isApart) return { start, end };
  }
  return undefined;
}

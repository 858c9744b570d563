import { arxivIdOf, doiOf, lettersOf } from '../text/paper-identifiers.ts';
import type { DocumentFacts } from './document-schema.ts';
import type { Extracted } from './extract.ts';
import { frontMatter } from './front-matter.ts';
import { onlyDoi, stampOf } from './printed-identifiers.ts';
import { factText, type StatedFacts } from './stated-facts.ts';
import { texFacts } from './tex-facts.ts';

/** The maximum number of characters of the first page to compare. */
const MAX_PAGE = 8000;
/**
 * The minimum number of letters on a first page. A page with fewer is a scan or a cover, and confirms
 * nothing.
 */
const MIN_PAGE_LETTERS = 60;
/** The minimum share of a title's letters that must be on the first page in one stretch. */
const MIN_SHARE = 0.6;
/**
 * The maximum share of a title's or a name's words that also occur in the names of the programs that made the
 * file.
 */
const MAX_PROGRAM_SHARE = 0.5;
const MAX_WORDS = 60;
const MAX_AUTHORS = 100;
const MAX_TAGS = 20;

/**
 * Returns the credible facts about a document in its file: those that a person wrote for readers, then
 * properties that the first page confirms, then the first page itself. `heading` is the first heading of its
 * text.
 */
export function documentFacts(
  extracted: Extracted,
  { path, heading }: { path: string; heading: string | undefined },
): DocumentFacts {
  const stated = statedIn(extracted);
  const text = firstPageOf(extracted);
  const page: Page = { text, letters: lettersOf(text) };
  const confirmed = titleOf(stated, page);
  const isWhole = confirmed === stated.title;
  const shown = shownTitleOf(extracted, stated, heading);
  const title = isWhole ? (confirmed ?? shown) : (shown ?? confirmed);
  const isPdf = extracted.format.name === 'pdf';
  const authors = authorsOf(stated, page, isPdf);
  const { doi, arxivId } = identifiersOf(stated, page, { path, isPdf });
  const year = yearOf(stated, page, { arxivId, isPdf });
  const tags = stated.tags?.slice(0, MAX_TAGS) ?? [];
  return {
    ...(title !== undefined && { title }),
    ...(authors.length > 0 && { authors }),
    ...(year !== undefined && { year }),
    ...(doi !== undefined && { doi }),
    ...(arxivId !== undefined && { arxivId }),
    ...(tags.length > 0 && { tags }),
  };
}

interface Page {
  text: string;
  letters: string;
}

function statedIn({ facts = {}, format, text }: Extracted): StatedFacts {
  if (format.name === 'markdown') return frontMatter(text);
  return format.name === 'latex' ? texFacts(text) : facts;
}

function firstPageOf({ text, partStarts }: Extracted): string {
  return text.slice(0, Math.min(partStarts[1] ?? text.length, MAX_PAGE));
}

/** Returns the stated title, or the part of it that the page confirms. */
function titleOf({ title, isPublished, programs = [] }: StatedFacts, page: Page): string | undefined {
  if (title === undefined || !isMostlyLetters(title)) return undefined;
  if (isPublished) return title;
  const words = title.split(' ').slice(0, MAX_WORDS);
  if (shareOf(words, programs) >= MAX_PROGRAM_SHARE) return undefined;
  const found = longestStretch(words, page);
  const share = lettersOf(found.join('')).length / lettersOf(title).length;
  if (share < MIN_SHARE) return undefined;
  return found.length === words.length ? title : found.join(' ').replace(/^[\p{P}\s]+/u, '');
}

/** Returns the longest run of words that is also on the page. A single word must be a whole line there. */
function longestStretch(words: string[], { text, letters }: Page): string[] {
  if (words.length === 1) {
    const word = lettersOf(words[0] ?? '');
    return text.split('\n').some((line) => lettersOf(line) === word) ? words : [];
  }
  const folded = words.map(lettersOf);
  let best: string[] = [];
  for (let from = 0; from < words.length - best.length; from++) {
    let to = from + best.length + 1;
    while (to <= words.length && letters.includes(folded.slice(from, to).join(''))) to++;
    if (to - 1 - from > best.length) best = words.slice(from, to - 1);
  }
  return best;
}

function isMostlyLetters(title: string): boolean {
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  return letters >= 2 && letters >= title.length / 2 && !title.includes('\uFFFD');
}

function shareOf(words: string[], texts: string[]): number {
  const known = new Set(texts.flatMap((text) => text.split(' ')).map(lettersOf));
  return words.filter((word) => known.has(lettersOf(word))).length / words.length;
}

const MAX_FIRST_LINE = 150;

/** Returns the title that readers see: the largest text of the first page, a heading, or the first line. */
function shownTitleOf(
  { text, format, headings }: Extracted,
  { shownTitle }: StatedFacts,
  heading: string | undefined,
): string | undefined {
  if (shownTitle !== undefined) return isMostlyLetters(shownTitle) ? shownTitle : undefined;
  if (format.name === 'code') return undefined;
  const isDocument = format.content === 'encoded' && format.unit === 'line';
  const start = text.search(/\S/);
  // A document's title often isn't a heading, whereas its first section is.
  if (isDocument && !headings.has(start)) return firstLine(text.slice(Math.max(0, start)));
  return heading === undefined ? undefined : factText(heading) || undefined;
}

/** Returns the first line; undefined if it is a sentence. */
function firstLine(text: string): string | undefined {
  const line =
    text
      .slice(0, MAX_FIRST_LINE + 1)
      .split('\n')[0]
      ?.trim() ?? '';
  const isTitle = line.length <= MAX_FIRST_LINE && line.includes(' ') && !/[.,;:!。，；：]$/u.test(line);
  return isTitle && isMostlyLetters(line) ? factText(line) : undefined;
}

function authorsOf(stated: StatedFacts, page: Page, isPdf: boolean): string[] {
  const { authors = [], isPublished, programs = [] } = stated;
  const names = authors.flatMap(splitNames).slice(0, MAX_AUTHORS);
  if (isPublished) return names;
  const isConfirmed = (name: string) =>
    !isPdf || page.letters.length < MIN_PAGE_LETTERS || page.letters.includes(lettersOf(familyOf(name)));
  return names.filter(
    (name) => isName(name) && isConfirmed(name) && shareOf(name.split(' '), programs) < MAX_PROGRAM_SHARE,
  );
}

/** Splits names at `;`, `and`, and `&`, and at commas only if each part is a full name. */
function splitNames(written: string): string[] {
  return written
    .split(/\s*(?:;|&|\band\b|、|；)\s*/i)
    .flatMap((part) => {
      const names = part.split(/\s*[,，]\s*/).filter((name) => name !== '');
      const areWhole = names.length > 2 || names.every((name) => name.includes(' '));
      return names.length > 1 && areWhole ? names : [part];
    })
    .map((name) => name.replace(/^[,\s]+|[,\s]+$/g, ''))
    .filter((name) => name !== '');
}

/** Returns false for a login, an email address, and a program. */
function isName(name: string): boolean {
  const isHan = /^\p{Script=Han}{2,6}$/u.test(name);
  return name.length <= 100 && (isHan || /[\s.,]\S/.test(name)) && !/[\d@\\/<>\uFFFD_]/.test(name);
}

function familyOf(name: string): string {
  const [before = '', given] = name.split(',');
  return given === undefined ? (before.trim().split(' ').at(-1) ?? '') : before;
}

function identifiersOf(
  { identifiers = [] }: StatedFacts,
  { text }: Page,
  { path, isPdf }: { path: string; isPdf: boolean },
): Pick<DocumentFacts, 'doi' | 'arxivId'> {
  const own = identifiers.map((each) => doiOf(each)).find((each) => each !== null);
  const doi = own ?? onlyDoi(identifiers.join(' ')) ?? (isPdf ? onlyDoi(text) : undefined);
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const arxivId =
    identifiers.map((each) => arxivIdOf(each)).find((each) => each !== null) ??
    (isPdf ? (stampOf(text) ?? arxivIdOf(name)) : null);
  return { ...(doi !== undefined && { doi }), ...(arxivId !== null && { arxivId }) };
}

/**
 * Returns the year of a stated date. The date of a PDF may be that of its scan, so the year must also be on
 * the first page.
 */
function yearOf(
  { date = '', isPublished }: StatedFacts,
  { text }: Page,
  { arxivId, isPdf }: { arxivId: string | undefined; isPdf: boolean },
): number | undefined {
  const [year] = /(?<!\d)(?:1[5-9]|20)\d{2}/.exec(date) ?? [];
  const isOnPage = year !== undefined && new RegExp(`(?<!\\d)${year}(?!\\d)`).test(text);
  if (year !== undefined && (isPublished || !isPdf || isOnPage)) return Number(year);
  const [, short] = /^(\d{2})\d{2}\.\d{4,5}$/.exec(arxivId ?? '') ?? [];
  return short === undefined ? undefined : 2000 + Number(short);
}

import { arxivIdOf, doiOf } from '../text/paper-identifiers.ts';
import { splitNames } from './compare-names.ts';
import { readableTitle } from './compare-titles.ts';
import type { Reference } from './match-entry.ts';
import { isPaperHost } from './paper-hosts.ts';

/** An entry of a reference list, as its author wrote it. */
export interface ReferenceEntry {
  text: string;
  title?: string;
  /** The authors, as written. */
  names: string;
  year?: number;
  /** The text from the title on, which names the venue. */
  venue?: string;
  doi?: string;
  arxivId?: string;
  /** True if its fields were written as such, as in BibTeX, so that its text says nothing more. */
  isFielded?: true;
  /** True for a web page or a book, which catalogs of papers may lack. */
  isOutside: boolean;
}

/** The maximum number of characters of an entry that are read. */
const MAX_ENTRY = 2000;
const MAX_NAMES = 800;
const YEAR = String.raw`(?<![\d\p{L}/–—-])(?:1[5-9]|20)\d\d(?=[a-z]?(?![\d\p{L}]))(?!\s*[–—-]\s*\d)`;
const DOI = /(?<![\d.])10\.\d{4,9}\/[^\s"“”«»{}|\\^`]+/u;
const ARXIV =
  /(?<!\p{L})arxiv(?:\.org\/(?:abs|pdf|html)\/|\s?:\s?|\.)\s?((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?)/iu;
const LINK = /(?:https?:\/\/|www\.)[^\s"“”<>]+/giu;
const ISBN = /(?<!\p{L})ISBN(?:-1[03])?:?\s*[\dX -]{9,20}/iu;
/** A number before the entry that is not of the list. */
const MARK = /^(?:\[\d{1,3}\]|\d{1,3}\.)\s+/;
/** A title in quotation marks, after the authors or the year. Others are words of a title. */
const QUOTED =
  /(?<=(?:^|[.,:;)\]])\s{0,2})["“„«「《]([^"“”„«»「」《》]{6,500}?)[,.，。]?["”“»」》]|(?<=(?:^|[.,:;)\]])\s{0,2})‘(.{6,500}?)[,.]?’(?=[\s,.;:]|$)/u;
/** The kind of a Chinese reference follows its title: `[J]`, `[EB/OL]`. */
const KIND = /\s*\[(?:[A-Z]{1,2})(?:\/[A-Z]{2})?\](?:\s*[.．]|\s*\/\/)?\s*/u;
const PARTICLE = String.raw`(?:(?:de|del|della|van|von|der|den|la|le|du|di|da|dos|el|al|bin|ibn|ten|ter)[\s-]){0,3}`;
const FAMILY = String.raw`${PARTICLE}\p{Lu}[\p{L}\p{M}'’ʼ-]{1,40}(?:\s${PARTICLE}\p{Lu}[\p{L}\p{M}'’-]{1,40})?`;
const INITIALS = String.raw`(?:\p{Lu}\p{Ll}?\.[\s-]{0,2}){1,4}|\p{Lu}{1,4}(?!\p{L})`;
/** `Smith, J. A.`, `Smith JA`, or `J. A. Smith`. */
const PERSON = String.raw`(?:${FAMILY},?\s+(?:${INITIALS})(?:,?\s(?:Jr|Sr|I{2,3})\.?)?|(?:${INITIALS})\s?${FAMILY})`;
const PEOPLE = new RegExp(
  String.raw`^${PERSON}(?:(?:\s*[,;]\s*(?:and\s|&\s?|\.{3}\s?|…\s?)?|\s*(?:and\s|&\s?|…))\s*${PERSON}){0,60}(?:[,\s]*et al\.?|[,\s]*(?:and|&)\s+others)?`,
  'u',
);

/** Returns whether a text starts with the names of persons, each with initials. */
export function startsWithNames(text: string): boolean {
  return PEOPLE.test(text.slice(0, MAX_NAMES));
}

/** Reads an entry of a list. Fields that aren't recognized are missing. */
export function readEntry(written: string): ReferenceEntry {
  const text = plain(written.slice(0, MAX_ENTRY)).replace(MARK, '');
  const doi = doiIn(text);
  const arxivId = arxivIdOf(ARXIV.exec(text)?.[1] ?? null) ?? (doi === undefined ? null : arxivIdOf(doi));
  const links = text.match(LINK) ?? [];
  const words = withoutIdentifiers(text);
  const { names, title, rest } = divide(words);
  const year = yearOf(words, title);
  return {
    ...{ text, names: names.slice(0, MAX_NAMES) },
    ...(title !== undefined && { title }),
    ...(year !== undefined && { year }),
    ...(rest !== undefined && { venue: rest }),
    ...(doi !== undefined && { doi }),
    ...(arxivId !== null && { arxivId }),
    isOutside: ISBN.test(text) || links.some(isWebPage),
  };
}

function isWebPage(link: string): boolean {
  const url = URL.parse(/^https?:/i.test(link) ? link : `https://${link}`);
  return url === null || !isPaperHost(url.hostname);
}

/** Returns an entry of a bibliography. */
export function toEntry({ title, authors, year, venue, doi, arxivId, url, isbn }: Reference): ReferenceEntry {
  const text = [authors.slice(0, 3).join('; '), title, venue, year].filter(Boolean).join('. ');
  return {
    ...{ text, names: authors.map(familyFirst).join('; ') },
    ...(title !== '' && { title: readableTitle(title) }),
    ...(year !== undefined && { year }),
    ...(venue !== undefined && { venue }),
    ...(doi !== undefined && { doi }),
    ...(arxivId !== undefined && { arxivId }),
    isFielded: true,
    isOutside: (isbn === true && venue === undefined) || (url !== undefined && isWebPage(url)),
  };
}

/** Lists split names at commas, so a name of a bibliography must not contain one. */
function familyFirst(name: string): string {
  return name.replace(/,\s*/g, ' ');
}

/** Returns a text without Markdown and line breaks. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]\n]{1,500})\]\((https?:[^)\s]{1,500})\)/g, '$1 $2')
    .replace(/<(https?:[^>\s]{1,500})>/g, '$1')
    .replace(/\\([_*&%#$])/g, '$1')
    .replace(/(?<![\p{L}\p{N}])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/(?<=\p{Ll})-\n\s*(?=\p{Ll})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the DOI without the punctuation after it, and without what publishers append in URLs. */
function doiIn(text: string): string | undefined {
  const found = DOI.exec(text)?.[0] ?? '';
  let doi = found.replace(/[.,;:'’\]>*_]+$/, '');
  while (/[)）]$/.test(doi) && count(doi, /[(（]/g) < count(doi, /[)）]/g)) doi = doi.slice(0, -1);
  doi = doi.replace(/[.,;:]+$/, '').replace(/(?:\/(?:full|pdf|epdf|abstract|html|meta)|\.pdf)$/i, '');
  return doiOf(doi) ?? undefined;
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}

function withoutIdentifiers(text: string): string {
  return text
    .replace(LINK, ' ')
    .replace(new RegExp(DOI, 'gu'), ' ')
    .replace(new RegExp(ARXIV, 'giu'), ' arXiv ')
    .replace(ISBN, ' ')
    .replace(/(?<!\p{L})doi\s*:?\s*(?=$|[\s.,;\])])/giu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

interface Divided {
  names: string;
  title?: string;
  rest?: string;
}

/** Divides an entry into authors, title, and the rest, by the marks that the citation styles put between them. */
function divide(text: string): Divided {
  const quoted = QUOTED.exec(text);
  if (quoted !== null)
    return of(
      text.slice(0, quoted.index),
      quoted[1] ?? quoted[2],
      text.slice(quoted.index + quoted[0].length),
    );
  const kind = KIND.exec(text);
  if (kind !== null && kind.index > 0) return divideAtKind(text, kind.index, kind[0].length);
  return divideAtYear(text) ?? divideAfterPeople(text) ?? divideAtPeriods(text);
}

function of(names: string, title: string | undefined, rest?: string): Divided {
  const own = title?.replace(/[.,]\s+in:?\s+\p{Lu}.*$/iu, '').replace(/^[\s.,:;，。：]+|[\s.,，。]+$/gu, '');
  const hasTitle = own !== undefined && /\p{L}{2}|\p{Script=Han}/u.test(own);
  const after = rest?.replace(/^[\s.,:;，。]+/u, '');
  return {
    names: names.replace(new RegExp(String.raw`[(（]?${YEAR}[a-z]?[)）]?\s*[.,]?\s*$`, 'u'), '').trim(),
    ...(hasTitle && { title: own }),
    ...(after !== undefined && after !== '' && { rest: after }),
  };
}

function divideAtKind(text: string, at: number, length: number): Divided {
  const before = text.slice(0, at);
  const start = /[.．。]\s*/u.exec(before);
  if (start === null) return of('', before, text.slice(at + length));
  return of(
    before.slice(0, start.index),
    before.slice(start.index + start[0].length),
    text.slice(at + length),
  );
}

/** Minimum words after the year, if the title follows it. */
const WORDS_AFTER = 3;
const AUTHOR_YEAR = new RegExp(
  String.raw`^(.{1,1000}?)(?:[(（\[]${YEAR}[a-z]?(?:[,，][^)）\]]{1,40})?[)）\]]\s*[.,:，。]?|[.,，]\s*${YEAR}[a-z]?[.,:，。])\s*(?=\S)(.+)$`,
  'u',
);

/** `Smith, J. (2020). Title. Journal` and `Smith J. 2020. Title.` */
function divideAtYear(text: string): Divided | undefined {
  const [, names, after] = AUTHOR_YEAR.exec(text) ?? [];
  if (names === undefined || after === undefined) return undefined;
  const isTitled = (after.match(/\p{Script=Han}{2}|\p{L}{2,}/gu)?.length ?? 0) >= WORDS_AFTER;
  if (!isTitled || endOfTitle(names) < names.trimEnd().length - 1) return undefined;
  const end = endOfTitle(after);
  return of(names, after.slice(0, end), after.slice(end));
}

/** `Smith J, Jones K. Title. Journal. 2020;…` and `Smith, J. & Jones, K. Title. Journal 5, 1–9 (2020).` */
function divideAfterPeople(text: string): Divided | undefined {
  const people = PEOPLE.exec(text)?.[0];
  if (people === undefined) return undefined;
  const after = text.slice(people.length).replace(/^\s*(?:\([Ee]ds?\.?\))?[.,:]?\s*/u, '');
  const end = endOfTitle(after);
  return of(people, after.slice(0, end), after.slice(end));
}

/** An organization, a person with a full name, or a title without an author, before the first full stop. */
function divideAtPeriods(text: string): Divided {
  const first = endOfTitle(text);
  const after = text.slice(first).replace(/^[\s.。]+/u, '');
  const end = endOfTitle(after);
  const isTitled = (after.slice(0, end).match(/\p{Script=Han}{2}|\p{L}{2,}/gu)?.length ?? 0) > 1;
  return isTitled
    ? of(text.slice(0, first), after.slice(0, end), after.slice(end))
    : of('', text.slice(0, first), after);
}

const STOP = /(?:(?<=[\p{L}\p{N})\]”"’]{2})|(?<=[\p{Script=Han})]))[.?!](?=\s+[^\p{Ll}\s]|\s*$)|[。？！]/gu;

/** Returns the end of the first sentence: a full stop after a word that isn't an initial or short abbreviation. */
function endOfTitle(text: string): number {
  for (const { index } of text.matchAll(STOP)) {
    const last = /[\p{L}\p{M}\p{N}'’-]+$/u.exec(text.slice(Math.max(0, index - 60), index))?.[0] ?? '';
    const isCut = last === 'al' && /\bet\s+al$/.test(text.slice(Math.max(0, index - 10), index));
    if (isCut || last.length > 2 || /\d|\p{Script=Han}/u.test(last) || last === '' || text[index] !== '.') {
      return text[index] === '.' || text[index] === '。' ? index : index + 1;
    }
  }
  return text.length;
}

/** Returns the year: one in brackets, or else the last that is no page, and not in the title. */
function yearOf(text: string, title = ''): number | undefined {
  const outside = title === '' ? text : text.replace(title, ' ');
  const bracketed = new RegExp(
    String.raw`[(（\[][^()（）\[\]]{0,40}?(${YEAR})[a-z]?[^()（）\[\]]{0,40}[)）\]]`,
    'u',
  ).exec(outside);
  const dated = new RegExp(
    String.raw`(${YEAR})[a-z]?(?:\s+\p{Lu}\p{Ll}{2,8}\.?(?:\s+\d{1,2})?)?\s*;`,
    'u',
  ).exec(outside);
  const all = outside.match(new RegExp(YEAR, 'gu')) ?? [];
  const found = bracketed?.[1] ?? dated?.[1] ?? all.at(-1) ?? text.match(new RegExp(YEAR, 'gu'))?.at(-1);
  return found === undefined ? undefined : Number(found);
}

/** Returns how the authors are shown in a difference. */
export function namesShown({ names }: ReferenceEntry): string {
  return splitNames(names).slice(0, 5).join(', ') || names.slice(0, 200);
}

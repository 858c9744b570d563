import type { PdfFacts } from '../../formats/pdf.ts';
import { onlyDoi, stampOf } from '../../formats/printed-identifiers.ts';
import { arxivIdOf, lettersOf } from '../../text/paper-identifiers.ts';

/** The plausible metadata of a PDF. */
export interface PdfReference {
  title?: string;
  authors?: string[];
  doi?: string;
  arxivId?: string;
}

/**
 * The minimum number of letters on a first page. A page with fewer is a scan or a cover, and confirms
 * nothing.
 */
const MIN_PAGE_LETTERS = 60;
/** The minimum share of a title's words that must be on the first page, if that page has text. */
const MIN_SHARE = 0.6;
const MAX_AUTHORS = 50;

/**
 * Returns a PDF's plausible metadata. Its title and authors often come from a template, a program, or the original
 * file, so they must look valid and, if the first page has text, appear on it.
 */
export function pdfReference(facts: PdfFacts, path: string): PdfReference {
  const page = lettersOf(facts.firstPage);
  const title = believableTitle(facts.title, path);
  const isOnPage = (text: string) => page.length < MIN_PAGE_LETTERS || page.includes(lettersOf(text));
  const authors = believableAuthors(facts.author).filter((name) => isOnPage(familyOf(name)));
  const doi = onlyDoi(`${facts.subject} ${facts.title}`) ?? onlyDoi(facts.firstPage);
  const arxivId = stampOf(facts.firstPage) ?? arxivIdOf(nameOf(path).replace(/\.pdf$/i, ''));
  return {
    ...(title !== undefined &&
      (page.length < MIN_PAGE_LETTERS || shareOn(page, title) >= MIN_SHARE) && { title }),
    ...(authors.length > 0 && { authors }),
    ...(doi !== undefined && { doi }),
    ...(arxivId !== null && { arxivId }),
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const PROGRAM =
  /^(?:microsoft (?:word|powerpoint|excel)|powerpoint presentation|slide \d+)(?:\s*[-:–]\s*|$)/i;
const EXTENSION =
  /\.(?:docx?|dotx?|dvi|eps|fm|html?|indd|key|odt|pages|pdf|pptx?|ps|qxd|qxp|rtf|tex|txt|wpd|xlsx?|xml)$/i;
const EMPTY =
  /^(?:(?:untitled|unbenannt|unknown|unspecified|document|dokument|title|layout|slide|microsoft word|main|paper|article|draft|final|manuscript|output|template|test|temp|new|report|thesis|sample|noname|none|null|blank|scan|image|print|book|page)[\s\-_.:#()\d]*)+$/i;
const IDENTIFIER = /^(?:doi|pii|arxiv|issn|isbn|https?)\b|^10\.\d{4,9}\/|\d\.\.\d/i;

/** Undefined for a title that a program wrote. */
export function believableTitle(written: string, path: string): string | undefined {
  const title = written.replace(/\s+/g, ' ').trim().replace(PROGRAM, '').trim();
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  const isOneWord =
    !title.includes(' ') &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(title);
  const stem = lettersOf(nameOf(path).replace(/\.[^.]*$/, ''));
  const isWrong =
    letters < 4 ||
    letters < title.length / 2 ||
    (isOneWord && !/^\p{Lu}\p{Ll}{5,}$/u.test(title)) ||
    (lettersOf(title) === stem && isOneWord) ||
    title.includes('\uFFFD') ||
    /[\\<>]/.test(title) ||
    [EXTENSION, EMPTY, IDENTIFIER].some((pattern) => pattern.test(title));
  return isWrong ? undefined : title.slice(0, 500);
}

function shareOn(page: string, title: string): number {
  const words = (title.match(/[\p{L}\p{N}]+/gu) ?? []).map(lettersOf).filter((word) => word !== '');
  return words.filter((word) => page.includes(word)).length / Math.max(1, words.length);
}

const NOT_AUTHOR =
  /^(?:an?onymous|admin(?:istrator)?|author|user|owner|unknown|unspecified|none|null|guest|student|staff|root|windows user|microsoft|adobe|latex|tex|pdftex|acrobat|scanner|home|office|dell|hp|asus|lenovo|pc|default)\b[\s\d]*$/i;

/** Splits names at `;`, `and`, and `&`; at commas only if each part is a full name. */
export function believableAuthors(written: string): string[] {
  const parts = written
    .replace(/\s+/g, ' ')
    .split(/\s*(?:;|&|\band\b|、|；)\s*/i)
    .flatMap((part) => {
      const names = part.split(/\s*[,，]\s*/).filter((name) => name !== '');
      return names.length > 1 && (names.length > 2 || names.every((name) => name.includes(' ')))
        ? names
        : [part];
    })
    .map((name) => name.replace(/^[,\s]+|[,\s]+$/g, ''));
  return [...new Set(parts)].filter(isName).slice(0, MAX_AUTHORS);
}

/** Returns false for a login, an email address, and a program. */
function isName(name: string): boolean {
  const isHan = /^\p{Script=Han}{2,6}$/u.test(name);
  return (
    name.length <= 100 &&
    (isHan || /[\s.,]\S/.test(name)) &&
    !/[\d@\\/<>\uFFFD_]|https?:/.test(name) &&
    /\p{L}{2}/u.test(name) &&
    !NOT_AUTHOR.test(name)
  );
}

function familyOf(name: string): string {
  const [before = '', given] = name.split(',');
  return given === undefined ? (before.trim().split(' ').at(-1) ?? '') : before;
}

import type { DateRange, FoundPaper, PaperDetails } from '../ports/papers.ts';
import { toLine } from '../text/one-line.ts';
import { arxivIdOf, doiOf } from '../text/paper-identifiers.ts';

const MAX_TITLE = 500;
const MAX_ABSTRACT = 5000;
const MAX_AUTHORS = 100;
const MAX_AUTHOR = 200;
const MAX_URL = 2000;
const MAX_LICENSE = 100;
/** Maximum titles, years, and venues of a paper. */
const MAX_NAMES = 20;
/** Maximum bytes of one source's answer, because it is stored in a record, which has at most 400 KB. */
const MAX_BYTES = 300 * 1024;
/** Markup that occurs in titles and abstracts. */
const TAGS = /<\/?(?:i|b|em|strong|sub|sup|scp|sc|p|jats:[\w-]+|mml:[\w-]+)(?:\s[^<>]*)?>/gi;

/** Converts a source's results to the common form, with limited lengths and comparable days and IDs. */
export function tidyPapers(papers: FoundPaper[], range: DateRange): FoundPaper[] {
  const tidied = papers
    .map(tidyPaper)
    .filter(({ title, url }) => title !== '' && url !== '')
    .filter(({ publishedDate }) => isWithin(publishedDate, range));
  return takeFitting(tidied);
}

function tidyPaper(paper: FoundPaper): FoundPaper {
  const doi = doiOf(paper.doi);
  return {
    id: paper.id.slice(0, MAX_URL),
    arxivId: arxivIdOf(paper.arxivId) ?? arxivIdOf(doi),
    title: plainText(paper.title, MAX_TITLE),
    authors: paper.authors
      .slice(0, MAX_AUTHORS)
      .map((author) => plainText(author, MAX_AUTHOR))
      .filter((author) => author !== ''),
    abstract: plainText(paper.abstract, MAX_ABSTRACT),
    url: webAddress(paper.url) ?? '',
    pdfUrl: webAddress(paper.pdfUrl),
    publishedDate: dayOf(paper.publishedDate ?? ''),
    doi,
    ...(paper.isOpen !== undefined && { isOpen: paper.isOpen }),
    ...(paper.license !== undefined && { license: plainText(paper.license, MAX_LICENSE) }),
    ...(paper.details !== undefined && { details: tidyDetails(paper.details) }),
  };
}

function tidyDetails({ titles, years, venues, isRetracted }: PaperDetails): PaperDetails {
  const textsOf = (texts: string[]) =>
    [...new Set(texts.slice(0, MAX_NAMES).map((text) => plainText(text, MAX_TITLE)))].filter(Boolean);
  const isYear = (year: number) => Number.isInteger(year) && year >= 1000 && year < 3000;
  return {
    ...{ titles: textsOf(titles), venues: textsOf(venues), isRetracted },
    years: [...new Set(years.slice(0, MAX_NAMES))].filter(isYear),
  };
}

/** Characters of a text that are read. A source may send megabytes. */
const MAX_READ = 20_000;

/** Removes markup, line breaks, lone surrogates, and characters that reorder text or control a terminal. */
function plainText(text: string, maxLength: number): string {
  const shown = text.slice(0, MAX_READ).replace(TAGS, '');
  const folded = toLine(shown, MAX_READ).replace(/\s+/g, ' ').trim();
  return folded.slice(0, maxLength).toWellFormed();
}

/** Returns the day in UTC; null for anything else, such as a year alone. */
function dayOf(text: string): string | null {
  const isDay = /^\d{4}-\d{2}-\d{2}(?:T.+)?$/.test(text);
  const time = isDay ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

function webAddress(text: string | null): string | null {
  const url = text === null || text.length > MAX_URL ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/**
 * Returns whether a paper's day is in the range. The sources get the range too, but may not respect it. A
 * paper without a day is in no range.
 */
function isWithin(day: string | null, { dateFrom, dateTo }: DateRange): boolean {
  if (dateFrom === undefined && dateTo === undefined) return true;
  return day !== null && (dateFrom ?? '') <= day && day <= (dateTo ?? '9999-12-31');
}

function takeFitting(papers: FoundPaper[]): FoundPaper[] {
  let left = MAX_BYTES;
  return papers.filter((paper) => {
    left -= Buffer.byteLength(JSON.stringify(paper));
    return left >= 0;
  });
}

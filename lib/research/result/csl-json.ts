import { createHash } from 'node:crypto';
import { bibtexEntry } from '../../api-contract/bibtex.ts';
import { type CslItem, citationKey, dateParts, parseName } from '../../api-contract/csl-item.ts';
import { identityOf } from '../../api-contract/report-places.ts';
import { ownValue } from '../../text/own-value.ts';
import { isArxivDoi } from '../../text/paper-identifiers.ts';
import type { Evidence, Report, Source } from '../schema.ts';
import { clean, layOut, webAddress } from './lay-out.ts';

/** Returns the bibliography of a report for citation managers. */
export function toCslJson(report: Report): string {
  return `${JSON.stringify(cslItems(report), null, 2)}\n`;
}

/** Returns the same bibliography as BibTeX, in UTF-8. */
export function toBibtex(report: Report): string {
  return cslItems(report).map(bibtexEntry).join('\n');
}

/** Returns the sources of a report's footnotes, in the order of their first use. */
export function cslItems(report: Report): CslItem[] {
  const known = new Map<string, Cited>();
  for (const { evidence } of layOut(report).footnotes) {
    const key = identityOf(evidence);
    if (!known.has(key)) known.set(key, evidence);
  }
  return itemsWithKeys([...known.values()]);
}

type Cited = Pick<Evidence, 'path' | 'source'>;

/** Returns the item of one saved source, under its own key. */
export function toCslItem(kept: Cited): CslItem {
  return describe(clean(kept), citationKey(kept.source));
}

/**
 * Returns the items of sources, each with another key. A key of the workspace's own library stays unchanged. Of other items
 * with the same key, the first gets the short key, and the others get a suffix derived from their content.
 */
export function itemsWithKeys(all: Cited[]): CslItem[] {
  const keys = new Map<Cited, string>();
  const taken = new Set<string>();
  const owned = all.filter(({ source }) => source.citationKey !== undefined);
  for (const one of [...owned, ...all]) {
    const key = keys.get(one) ?? freeKey(one, taken);
    keys.set(one, key);
    taken.add(key);
  }
  return all.map((one) => describe(one, keys.get(one) ?? ''));
}

function freeKey(one: Cited, taken: Set<string>): string {
  const { source } = one;
  const published = source.publishedDate ?? source.year?.toString();
  const short = source.citationKey ?? citationKey({ ...source, publishedDate: published });
  const hash = createHash('sha256').update(identityOf(one)).digest('hex');
  const longer = [4, 8, 64].map((length) => `${short}-${hash.slice(0, length)}`);
  return [short, ...longer].find((name) => !taken.has(name)) ?? short;
}

function describe({ path, source }: Cited, id: string): CslItem {
  const { title, authors = [], publishedDate, year, venue, retrievedAt, doi, arxivId, url, license } = source;
  const address = webAddress(url);
  const isOutside = source.kind === 'paper' || source.kind === 'web';
  return {
    ...{ id, type: typeOf(source), title: title.trim() || path },
    ...(authors.length > 0 && { author: authors.map(parseName) }),
    ...issuedOn(publishedDate, year),
    ...(venue !== undefined && { 'container-title': venue }),
    ...(retrievedAt !== undefined && { accessed: dateParts(retrievedAt) }),
    ...(doi !== undefined && { DOI: doi }),
    ...(arxivId !== undefined && { archive: 'arXiv', number: arxivId }),
    ...(address !== undefined && { URL: address }),
    ...(!isOutside && { note: path }),
    ...(license !== undefined && { note: `License: ${license}` }),
  };
}

function issuedOn(day: string | undefined, year: number | undefined): Pick<CslItem, 'issued'> {
  if (day !== undefined) return { issued: dateParts(day) };
  return year === undefined ? {} : { issued: { 'date-parts': [[year]] } };
}

/** The types of entries in the workspace's own library, by their BibTeX or BibLaTeX type. */
const TYPES: Record<string, CslItem['type']> = {
  ...{ article: 'article-journal', book: 'book', conference: 'paper-conference' },
  ...{ incollection: 'chapter', inbook: 'chapter', inproceedings: 'paper-conference' },
  ...{
    mastersthesis: 'thesis',
    phdthesis: 'thesis',
    report: 'report',
    techreport: 'report',
    thesis: 'thesis',
  },
};

/** `article` in CSL means a preprint. */
function typeOf({ kind, doi, entryType = '' }: Source): CslItem['type'] {
  const own = ownValue(TYPES, entryType);
  if (own !== undefined) return own;
  if (kind === 'paper') return doi === undefined || isArxivDoi(doi) ? 'article' : 'article-journal';
  return kind === 'web' ? 'webpage' : kind === 'dataset' ? 'dataset' : 'document';
}

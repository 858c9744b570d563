import { createHash } from 'node:crypto';
import { bibtexEntry } from '../../api-contract/bibtex.ts';
import { type CslItem, citationKey, dateParts, parseName } from '../../api-contract/csl-item.ts';
import { isArxivDoi } from '../../papers/identity.ts';
import type { Report, Source } from '../schema.ts';
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
  const known = new Map<string, { path: string; source: Source }>();
  for (const { evidence } of layOut(report).footnotes) {
    const key = identityOf(evidence);
    if (!known.has(key)) known.set(key, evidence);
  }
  return withKeys([...known.values()]);
}

/** Returns the item of one saved source, under a key of its own. */
export function toCslItem(kept: { path: string; source: Source }): CslItem {
  return describe(clean(kept), citationKey(kept.source));
}

function identityOf({ path, source: { doi, arxivId, url } }: { path: string; source: Source }): string {
  return doi ?? arxivId ?? url ?? path;
}

/** The first item gets the short key; later ones with the same key get a suffix from their content. */
function withKeys(all: { path: string; source: Source }[]): CslItem[] {
  const taken = new Set<string>();
  return all.map((one) => {
    const short = citationKey(one.source);
    const hash = createHash('sha256').update(identityOf(one)).digest('hex');
    const lengths = [4, 8, 64];
    const key = [short, ...lengths.map((length) => `${short}-${hash.slice(0, length)}`)].find(
      (name) => !taken.has(name),
    );
    taken.add(key ?? short);
    return describe(one, key ?? short);
  });
}

function describe({ path, source }: { path: string; source: Source }, id: string): CslItem {
  const { title, authors = [], publishedDate, retrievedAt, doi, arxivId, url, license } = source;
  const address = webAddress(url);
  const isOutside = source.kind === 'paper' || source.kind === 'web';
  return {
    ...{ id, type: typeOf(source), title: title.trim() || path },
    ...(authors.length > 0 && { author: authors.map(parseName) }),
    ...(publishedDate !== undefined && { issued: dateParts(publishedDate) }),
    ...(retrievedAt !== undefined && { accessed: dateParts(retrievedAt) }),
    ...(doi !== undefined && { DOI: doi }),
    ...(arxivId !== undefined && { archive: 'arXiv', number: arxivId }),
    ...(address !== undefined && { URL: address }),
    ...(!isOutside && { note: path }),
    ...(license !== undefined && { note: `License: ${license}` }),
  };
}

/** CSL's `article` is a preprint. */
function typeOf({ kind, doi }: Source): CslItem['type'] {
  if (kind === 'paper') return doi === undefined || isArxivDoi(doi) ? 'article' : 'article-journal';
  return kind === 'web' ? 'webpage' : kind === 'dataset' ? 'dataset' : 'document';
}

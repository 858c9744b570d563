import { bibtexEntry } from '../../lib/api-contract/bibtex.ts';
import { citationKey, dateParts, parseName } from '../../lib/api-contract/csl-item.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';

/** Returns the BibTeX entry of a found paper for a reference list. */
export function bibtexOf(article: Schemas['Article']): string {
  const { title, authors, publishedDate, doi, url } = article;
  return bibtexEntry({
    id: citationKey(article),
    type: 'article',
    title,
    ...(authors.length > 0 && { author: authors.map(parseName) }),
    ...(publishedDate !== null && { issued: dateParts(publishedDate) }),
    ...(doi !== null && { DOI: doi }),
    URL: url,
  });
}

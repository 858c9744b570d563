import { lettersOf } from '../text/paper-identifiers.ts';

/** Returns the URL of a paper's text on arXiv, which responds to it without a redirect. */
export function pdfAddress(arxivId: string): string {
  return `https://arxiv.org/pdf/${arxivId}`;
}

/** Returns whether a URL is on arXiv, whose rate limit covers all requests. */
export function isAtArxiv(address: string): boolean {
  return /(?:^|\.)arxiv\.org$/.test(URL.parse(address)?.hostname ?? '');
}

/**
 * Returns a key that is equal for spellings of the same title by the same first author, and differs for other
 * papers as far as possible. Undefined without an author, or for a title as short as `Introduction`.
 */
export function titleKey(title: string, authors: string[]): string | undefined {
  const words = lettersOf(title);
  const family = familyName(authors[0] ?? '');
  return words.length < 20 || family === '' ? undefined : `${words}#${family}`;
}

/** Returns the family name, the same for `Jane van Smith` and `van Smith, Jane`, with or without accents. */
function familyName(author: string): string {
  const [name = ''] = author.split(',');
  return lettersOf(name.trim().split(/\s+/).at(-1) ?? '');
}

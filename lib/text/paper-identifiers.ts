import { foldForSearch } from '../api-contract/fold-text.ts';

/**
 * Matches an arXiv ID. IDs from before 2007 look like `hep-th/9901001` and `math.GT/0309136`, which equals
 * `math/0309136`.
 */
const ARXIV_ID = /^(?:(\d{4}\.\d{4,5})|([a-z-]+)(?:\.[a-z]{2})?(\/\d{7}))(?:v\d+)?$/;
const ARXIV_PLACES =
  /^(?:https?:\/\/)?(?:(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\/|(?:www\.)?huggingface\.co\/papers\/)([^?#]+?)(?:\.pdf)?\/?(?:[?#].*)?$/;
const ARXIV_DOI = /^10\.48550\/arxiv\.(.+)$/;
const DOI_PLACES = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/;

/** Returns a paper's arXiv ID, without the version, from an ID, a URL, or a DOI; null if it isn't on arXiv. */
export function arxivIdOf(text: string | null): string | null {
  const lower = (text ?? '').trim().toLowerCase();
  const inner = ARXIV_PLACES.exec(lower)?.[1] ?? ARXIV_DOI.exec(doiOf(lower) ?? '')?.[1] ?? lower;
  const [, id, archive = '', number = ''] = ARXIV_ID.exec(inner.replace(/^arxiv:/, '')) ?? [];
  return id ?? (archive === '' ? null : archive + number);
}

/** Returns the bare DOI in lower case, because DOIs are case-insensitive. Null if it isn't a DOI. */
export function doiOf(text: string | null): string | null {
  const bare = (text ?? '').trim().toLowerCase().replace(DOI_PLACES, '');
  return /^10\.\d{4,9}\/\S+$/.test(bare) ? bare : null;
}

/** Returns whether arXiv itself assigned a DOI. Such a DOI says no more than the arXiv ID. */
export function isArxivDoi(doi: string): boolean {
  return ARXIV_DOI.test(doi);
}

/** Returns a text without differences in spelling: accents, case, spaces, and punctuation. */
export function lettersOf(text: string): string {
  return foldForSearch(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

import { arxivIdOf, doiOf } from '../text/paper-identifiers.ts';

const DOI = /\b10\.\d{4,9}\/[^\s"<>{}|\\^`[\]，。；、]+/gi;

/**
 * Returns the only DOI in a text. Longer DOIs that start with it belong to its parts. If there are others,
 * the first one may be a reference's.
 */
export function onlyDoi(text: string): string | undefined {
  const found = [...text.matchAll(DOI)].flatMap(([doi]) => doiOf(withoutEnd(doi)) ?? []);
  const [first] = found;
  return first !== undefined && found.every((doi) => doi.startsWith(first)) ? first : undefined;
}

/**
 * Removes the punctuation of the sentence around it. A closing bracket belongs to the DOI if the DOI contains
 * the opening one.
 */
function withoutEnd(doi: string): string {
  const short = doi.replace(/[.,;:'’”]+$/, '');
  const isOpen = short.split('(').length >= short.split(')').length;
  return short.endsWith(')') && !isOpen ? withoutEnd(short.slice(0, -1)) : short;
}

/** arXiv prints `arXiv:2005.11401v4 [cs.CL] 12 Apr 2021` in the margin. */
export function stampOf(page: string): string | null {
  const found = /\barXiv:\s*(\S{1,40})\s+\[[a-z-]+(?:\.[A-Za-z-]+)?\]/.exec(page);
  return arxivIdOf(found?.[1] ?? null);
}

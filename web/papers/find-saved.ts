import type { Schemas } from '../../lib/api-contract/schema.ts';

type Article = Schemas['Article'];
type KeptPaper = Schemas['KeptPaper'];

/** Returns the saved file of a paper; an abstract alone doesn't count. */
export function findSaved(article: Article, kept: KeptPaper[]): KeptPaper | undefined {
  return kept.find((paper) => paper.isWhole && isSame(article, paper));
}

/** Compares IDs or, if there are none, pages, because a source may have one page for many papers. */
function isSame({ id, doi, url }: Article, paper: KeptPaper): boolean {
  if (paper.doi === null && paper.arxivId === null) return paper.url === url;
  return paper.arxivId === id || (doi !== null && paper.doi === doi);
}

/** Returns the PDF's URL if it may be downloaded. Its host may still refuse. */
export function openPdfOf({ isOpen, pdfUrl }: Article): string | undefined {
  return isOpen === false ? undefined : (pdfUrl ?? undefined);
}

import { describe, expect, it } from '@jest/globals';
import { findSaved, openPdfOf } from '../../../web/papers/find-saved.ts';

const article = {
  ...{ id: '2401.00001', title: 'Owls', authors: [], abstract: '', url: 'https://papers.example/owls' },
  ...{ pdfUrl: 'https://papers.example/owls.pdf', publishedDate: null, doi: '10.1/owl', score: 1 },
  source: 'preprint_server' as const,
};
const kept = {
  ...{ path: 'sources/papers/owls.pdf', title: 'Owls', authors: [], url: null, doi: null, arxivId: null },
  ...{ publishedDate: null, license: null, retrievedAt: null, isPdf: true, isWhole: true },
};

describe('findSaved', () => {
  it.each([
    ['its page if it has no ID', { url: article.url }],
    ['its DOI', { doi: article.doi }],
    ['its arXiv ID', { arxivId: article.id }],
  ])('recognizes a paper by %s', (_what, known) => {
    expect(findSaved(article, [kept, { ...kept, ...known, path: 'that' }])?.path).toBe('that');
  });

  it("doesn't treat an abstract as the paper, or unknown values as equal", () => {
    expect(findSaved(article, [{ ...kept, url: article.url, isWhole: false }])).toBeUndefined();
    expect(findSaved({ ...article, doi: null }, [kept])).toBeUndefined();
    expect(findSaved(article, [{ ...kept, url: article.url, doi: '10.1/other' }])).toBeUndefined();
  });
});

describe('openPdfOf', () => {
  it.each([
    ["with a PDF that isn't known to be closed", {}, true],
    ['that is open', { isOpen: true }, true],
    ['that is closed', { isOpen: false }, false],
    ['without a PDF', { pdfUrl: null, isOpen: true }, false],
  ])('is shown for a paper %s', (_what, fields, isThere) => {
    expect(openPdfOf({ ...article, ...fields })).toBe(isThere ? article.pdfUrl : undefined);
  });
});

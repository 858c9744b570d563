import { describe, expect, it } from '@jest/globals';
import { bibtexOf } from '../../../web/papers/bibtex.ts';

const article = {
  id: '2401.00001',
  title: 'The Hearing of Owls: 100% & more',
  authors: ['Zoë Müller', 'Ann_Bird'],
  abstract: '',
  url: 'https://papers.example/abs/2401.00001',
  pdfUrl: null,
  publishedDate: '2024-01-02',
  source: 'preprint_server' as const,
  doi: '10.1/x',
  score: 1,
};

describe('bibtexOf', () => {
  it('writes an entry that BibTeX reads', () => {
    expect(bibtexOf(article)).toBe(`@misc{muller2024hearing,
  title = {{The Hearing of Owls: 100\\% \\& more}},
  author = {{Zoë Müller} and {Ann\\_Bird}},
  year = {2024},
  doi = {10.1/x},
  url = {https://papers.example/abs/2401.00001}
}
`);
  });

  it('leaves out what is not known', () => {
    const entry = bibtexOf({ ...article, authors: [], publishedDate: null, doi: null });
    expect(entry.match(/^ {2}\w+/gm)).toEqual(['  title', '  url']);
  });

  it('lets no field end early', () => {
    const hostile = '}, evil = {\\write18{x}}\n@article{b, title={';
    const entry = bibtexOf({ ...article, title: hostile, authors: [hostile], doi: hostile, url: hostile });
    let depth = 0;
    for (const [mark] of entry.replace(/\\[{}]/g, '').matchAll(/[{}]/g)) {
      depth += mark === '{' ? 1 : -1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    expect(entry.match(/^ {2}\w+ = /gm)).toHaveLength(5);
    expect(entry.split('\n')).toHaveLength(8);
  });
});

import { Cite } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
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

/** Returns the result of another BibTeX reader. */
function read(text: string): Record<string, unknown>[] {
  return new Cite(text).data as Record<string, unknown>[];
}

describe('bibtexOf', () => {
  it('writes an entry that BibTeX reads', () => {
    const entry = bibtexOf(article);
    expect(entry).toMatch(
      /^@misc\{muller2024hearing,\n {2}title = \{\{The Hearing of Owls: 100\\% \\& more\}\},\n/,
    );
    expect(read(entry)).toMatchObject([
      {
        title: article.title,
        author: [{ family: 'Müller', given: 'Zoë' }, { family: 'Ann_Bird' }],
        issued: { 'date-parts': [[2024, 1]] },
        DOI: '10.1/x',
        URL: article.url,
      },
    ]);
  });

  it('omits unknown fields', () => {
    const entry = bibtexOf({ ...article, authors: [], publishedDate: null, doi: null });
    expect(entry.match(/^ {2}\w+/gm)).toEqual(['  title', '  url']);
  });

  it.each(['a }} b', '} }, evil = {x', '{ {', '\\}', '}, evil = {\\write18{x}}\n@article{b, title={'])(
    'lets no field end early, and keeps every brace: %j',
    (text) => {
      const entry = bibtexOf({ ...article, title: text, authors: [text], doi: text, url: text });
      let depth = 0;
      // BibTeX counts a brace whether or not a backslash precedes it.
      for (const [mark] of entry.matchAll(/[{}]/g)) {
        depth += mark === '{' ? 1 : -1;
        expect(depth).toBeGreaterThanOrEqual(0);
        if (depth === 0) expect(entry.trimEnd().endsWith(mark)).toBe(true);
      }
      expect(depth).toBe(0);
      const found = read(entry);
      expect(found).toHaveLength(1);
      expect(String(found[0]?.title).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      expect(entry).not.toMatch(/^@article|\\write18\{x/m);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import {
  believableAuthors,
  believableTitle,
  pdfReference,
} from '../../../../lib/research/references/pdf-reference.ts';

const facts = (fields: object = {}) => ({ title: '', author: '', subject: '', firstPage: '', ...fields });
const PAGE =
  'Street Trees and\nAfternoon Air Temper-\nature\nAda Moreau and Tom Lindqvist\nFernbrook Climate Notes, 2021\nWe measured air.';

describe('believableTitle', () => {
  it.each([
    ...[
      '',
      'untitled',
      'Untitled-1',
      'Untitled Document',
      'Microsoft Word - Document1',
      'Microsoft Word - x.doc',
    ],
    ...['x.dvi', 'final_version3.tex', 'paper.indd', 'PowerPoint Presentation', 'Slide 1', 'Layout 1'],
    ...[
      '10.1016/j.cell.2019.01.001',
      'doi:10.1000/x',
      'arXiv:2005.11401v4 [cs.CL]',
      'PII: S0021-9258(19)52451-6',
    ],
    ...[
      'nature12345 1..6',
      'acs_ja_ja-2014-01234x 1..5',
      'C:\\Users\\me\\paper',
      'https://example.org/a.pdf',
    ],
    ...[
      'smith2021',
      '(unspecified)',
      'Draft 2',
      '12 34 56',
      'Broken \uFFFD\uFFFD title',
      'abc',
      'manuscript',
    ],
  ])('rejects %j', (title) => {
    expect(believableTitle(title, 'papers/other.pdf')).toBeUndefined();
  });

  it.each([
    ['Street trees and afternoon air temperature', undefined],
    ['Microsoft Word - Street trees in the afternoon', 'Street trees in the afternoon'],
    ['Leviathan', undefined],
    ['树荫与步行', undefined],
    ['Attention Is All You Need', undefined],
    ['A report on 3 streets in 2021', undefined],
    ['TCP/IP in practice', undefined],
  ])('accepts %j', (title, shown) => {
    expect(believableTitle(title, 'papers/other.pdf')).toBe(shown ?? title);
  });

  it('rejects a word that is the name of the file', () => {
    expect(believableTitle('Leviathan', 'books/leviathan.pdf')).toBeUndefined();
  });
});

describe('believableAuthors', () => {
  it.each([
    ['L. Brandt, P. Vega', ['L. Brandt', 'P. Vega']],
    ['Moreau, Ada; Lindqvist, Tom', ['Moreau, Ada', 'Lindqvist, Tom']],
    ['Moreau, Ada', ['Moreau, Ada']],
    ['Ada Moreau and Tom Lindqvist', ['Ada Moreau', 'Tom Lindqvist']],
    ['A. One, B. Two, and C. Three', ['A. One', 'B. Two', 'C. Three']],
    ['王小明、林悦', ['王小明', '林悦']],
    ['Administrator', []],
    ['Windows User', []],
    ['user123; jdoe; me@example.org', []],
    ['(anonymous)', []],
  ])('%s', (written, names) => {
    expect(believableAuthors(written)).toEqual(names);
  });
});

describe('pdfReference', () => {
  it('accepts text that is on the first page', () => {
    const said = { title: 'Street trees and afternoon air temperature', author: 'Ada Moreau; Tom Lindqvist' };
    expect(pdfReference(facts({ ...said, firstPage: PAGE }), 'a.pdf')).toEqual({
      title: said.title,
      authors: ['Ada Moreau', 'Tom Lindqvist'],
    });
  });

  it('rejects the title and the author of a template', () => {
    const said = { title: 'Proceedings Template for Conferences', author: 'Gerald Murray' };
    expect(pdfReference(facts({ ...said, firstPage: PAGE }), 'a.pdf')).toEqual({});
  });

  it('has nothing to compare with in a scan', () => {
    const said = { title: 'Street trees of Fernbrook', author: 'Ada Moreau' };
    expect(pdfReference(facts(said), 'a.pdf')).toEqual({ title: said.title, authors: ['Ada Moreau'] });
  });

  it.each([
    ['one DOI', 'https://doi.org/10.1000/Xyz.1.', '10.1000/xyz.1'],
    ['its own brackets', '(doi: 10.1016/S0021-9258(19)52451-6)', '10.1016/s0021-9258(19)52451-6'],
    ['its supplement', '10.1000/xyz and 10.1000/xyz.s001', '10.1000/xyz'],
    ['those of others', '10.1000/xyz and 10.2000/abc', undefined],
    ['none', 'version 10.1 of 2020/21', undefined],
  ])('finds the DOI of a page with %s', (_with, firstPage, doi) => {
    expect(pdfReference(facts({ firstPage }), 'a.pdf').doi).toBe(doi);
  });

  it('finds an arXiv ID in its stamp and in the name of the file', () => {
    const stamp = facts({ firstPage: 'arXiv:2005.11401v4  [cs.CL]  12 Apr 2021 and arXiv:1706.03762' });
    expect(pdfReference(stamp, 'a.pdf').arxivId).toBe('2005.11401');
    expect(pdfReference(facts(), 'in/2005.11401v2.pdf').arxivId).toBe('2005.11401');
    expect(pdfReference(facts({ firstPage: 'see arXiv:1706.03762' }), 'a.pdf').arxivId).toBeUndefined();
  });
});

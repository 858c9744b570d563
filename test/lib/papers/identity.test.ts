import { describe, expect, it } from '@jest/globals';
import { titleKey } from '../../../lib/papers/identity.ts';
import { arxivIdOf, doiOf } from '../../../lib/text/paper-identifiers.ts';

describe('arxivIdOf', () => {
  it.each([
    ['2401.00001', '2401.00001'],
    ['2401.00001v12', '2401.00001'],
    ['arXiv:0704.0001', '0704.0001'],
    ['hep-th/9901001v2', 'hep-th/9901001'],
    ['math.GT/0309136v1', 'math/0309136'],
    ['http://arxiv.org/abs/2401.00001v2', '2401.00001'],
    ['https://www.arxiv.org/pdf/2401.00001.pdf', '2401.00001'],
    ['https://export.arxiv.org/abs/hep-th/9901001', 'hep-th/9901001'],
    ['https://arxiv.org/html/2401.00001v1/', '2401.00001'],
    ['https://arxiv.org/abs/2401.00001?context=cs#x', '2401.00001'],
    ['https://huggingface.co/papers/2401.00001', '2401.00001'],
    ['10.48550/arXiv.2401.00001', '2401.00001'],
    ['https://doi.org/10.48550/ARXIV.2401.00001', '2401.00001'],
  ])('accepts %s', (text, id) => {
    expect(arxivIdOf(text)).toBe(id);
  });

  it.each([
    null,
    '',
    '2401.001',
    '12401.00001',
    'https://arxiv.org/list/cs.LG',
    'https://evil.example/arxiv.org/abs/2401.00001',
    'https://arxiv.org.evil.example/abs/2401.00001',
    '10.1038/2401.00001',
    'https://arxiv.org/abs/../../2401.00001',
  ])('rejects %s', (text) => {
    expect(arxivIdOf(text)).toBeNull();
  });
});

describe('doiOf', () => {
  it.each([
    ['10.1038/NATURE12373', '10.1038/nature12373'],
    ['https://doi.org/10.1000/ABC.1', '10.1000/abc.1'],
    ['http://dx.doi.org/10.1000/abc', '10.1000/abc'],
    ['doi: 10.1000/abc', '10.1000/abc'],
    ['doi.org', null],
    ['10.1/x', null],
    [null, null],
  ])('returns for %s: %s', (text, doi) => {
    expect(doiOf(text)).toBe(doi);
  });
});

describe('titleKey', () => {
  const key = titleKey('Attention Is All You Need', ['Ashish Vaswani', 'Noam Shazeer']);

  it.each([
    ['attention is all you need.', ['Vaswani, Ashish']],
    ['Attention  is all-you-need', ['A. Vaswani']],
    ['Attention Is All You Need', ['VASWÁNI']],
  ])('is the same for %s', (title, authors) => {
    expect(titleKey(title, authors)).toBe(key);
  });

  it.each([
    ['Attention Is All You Need', ['Noam Shazeer']],
    ['Attention Is Not All You Need', ['Ashish Vaswani']],
  ])('differs for %s by %s', (title, authors) => {
    expect(titleKey(title, authors)).not.toBe(key);
  });

  it.each([
    ['Introduction', ['Ashish Vaswani']],
    ['Attention Is All You Need', []],
    ['Attention Is All You Need', ['?']],
  ])('is undecided for %s by %s', (title, authors) => {
    expect(titleKey(title, authors)).toBeUndefined();
  });
});

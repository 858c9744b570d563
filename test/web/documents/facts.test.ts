import { describe, expect, it } from '@jest/globals';
import { correctionOf, differencesIn, type Fact, textsOf } from '../../../web/documents/facts.ts';
import type { Document } from '../../../web/documents/queries.ts';

const DOCUMENT: Document = {
  ...{ path: 'a.pdf', title: 'Night flights', authors: ['Ann Sand', 'Hill, Ben'], year: 2021, doi: null },
  ...{ kind: 'pdf', tags: ['birds'], citeKey: null, corrected: ['title'], stated: { title: 'Untitled 3' } },
};
const TEXTS = textsOf(DOCUMENT);
const none = new Set<Fact>();

describe('correctionOf', () => {
  it('sends nothing if nothing was changed', () => {
    expect(correctionOf(DOCUMENT, TEXTS, none)).toEqual({});
  });

  it.each([
    [{ authors: 'Ann Sand\n\n  Hill, Ben \nC. Lee' }, { authors: ['Ann Sand', 'Hill, Ben', 'C. Lee'] }],
    [{ authors: '' }, { authors: [] }],
    [{ year: '1999' }, { year: 1999 }],
    [{ year: '' }, { year: null }],
    [{ doi: 'https://doi.org/10.1000/X' }, { doi: '10.1000/X' }],
    [{ title: ' ' }, { title: null }],
  ])('sends the changed field of %j', (changed, sent) => {
    expect(correctionOf(DOCUMENT, { ...TEXTS, ...changed }, none)).toEqual(sent);
  });

  it('gives a field back to the file, even if its text is the same', () => {
    expect(correctionOf(DOCUMENT, TEXTS, new Set<Fact>(['title']))).toEqual({ title: null });
  });
});

it('differencesIn lists what the record has otherwise, and nothing that it lacks', () => {
  const record = {
    ...{ title: 'Night flights', authors: ['Ann Sand'], year: null, doi: '10.1000/1' },
    ...{ arxivId: null, venue: null, url: 'https://doi.org/10.1000/1', source: 'crossref' },
  };
  expect(differencesIn(record, TEXTS)).toEqual([
    { fact: 'authors', text: 'Ann Sand' },
    { fact: 'doi', text: '10.1000/1' },
  ]);
});

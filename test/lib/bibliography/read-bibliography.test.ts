import { describe, expect, it } from '@jest/globals';
import { isBibliography, readBibliography } from '../../../lib/bibliography/read-bibliography.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

const RIS = `TY  - JOUR
ID  - smith2020
AU  - Smith, Jane
AU  - Núñez, José
TI  - Night hunting of barn owls
T2  - Journal of Owls
PY  - 2020/03/15
DO  - https://doi.org/10.1000/OWLS.1
UR  - https://example.org/owls
L1  - file:///home/me/owls.pdf
ER  - 

TY  - BOOK
AU  - World Health Organization
TI  - Owls and health
PY  - 2016
SN  - 978-0-00-000000-0
ER  - 
`;

const CSL = JSON.stringify([
  {
    ...{
      id: 'smith2020',
      type: 'article-journal',
      title: 'Night hunting of barn owls',
      DOI: '10.1000/owls.1',
    },
    author: [{ family: 'Smith', given: 'Jane' }, { literal: 'World Health Organization' }],
    ...{ issued: { 'date-parts': [['2020', 3]] }, 'container-title': 'Journal of Owls' },
  },
  { id: 7, type: 'book', title: ['not', 'a', 'text'], issued: 'soon' },
]);

describe('readBibliography', () => {
  it('reads RIS', () => {
    expect([...readBibliography('a/library.ris', RIS)]).toEqual([
      {
        ...{ key: 'smith2020', type: 'JOUR', title: 'Night hunting of barn owls', folder: 'a' },
        ...{ authors: ['Smith, Jane', 'Núñez, José'], year: 2020, venue: 'Journal of Owls' },
        ...{ doi: '10.1000/owls.1', url: 'https://example.org/owls', files: ['/home/me/owls.pdf'] },
      },
      {
        ...{ key: '', type: 'BOOK', title: 'Owls and health', folder: 'a', files: [], isbn: true },
        ...{ authors: ['World Health Organization'], year: 2016 },
      },
    ]);
  });

  it('reads CSL-JSON, and skips fields of another form', () => {
    expect([...readBibliography('library.json', CSL)]).toEqual([
      {
        ...{ key: 'smith2020', type: 'article-journal', title: 'Night hunting of barn owls', folder: '' },
        ...{ authors: ['Smith, Jane', 'World Health Organization'], year: 2020, venue: 'Journal of Owls' },
        ...{ doi: '10.1000/owls.1', files: [] },
      },
      { key: '7', type: 'book', title: '', folder: '', authors: [], files: [] },
    ]);
  });

  it('recognizes CSL-JSON by its content, and the others by their names', () => {
    expect(isBibliography('a.json', CSL)).toBe(true);
    expect(isBibliography('a.json', '[{"type": "owl", "id": 1}]')).toBe(false);
    expect(isBibliography('a.json', '{"date-parts": 1}')).toBe(false);
    expect(isBibliography('a.txt', CSL)).toBe(false);
    expect(isBibliography('A.BIB', '')).toBe(true);
  });

  it.each([
    ['braces', 'a.bib', '{'.repeat(1_000_000)],
    ['open entries', 'a.bib', '@a{k,t={'.repeat(120_000)],
    ['nested values', 'a.bib', `@a{k, title = ${'{'.repeat(50_000)}x${'}'.repeat(50_000)}}`],
    ['entries that refer to each other', 'a.bib', '@a{x, crossref = {y}} @a{y, crossref = {x}}'.repeat(9000)],
    [
      'macros',
      'a.bib',
      `@string{a = "${'x'.repeat(1000)}"}${'@string{a = a # a}'.repeat(60)}@a{k, title = a}`,
    ],
    ['nested lists', 'a.json', `[{"type":"a","date-parts":${'['.repeat(500_000)}`],
    [
      'many fields',
      'a.json',
      `[{"type":"a","date-parts":1${Array.from({ length: 50_000 }, (_, at) => `,"a${at}":1`).join('')}}]`,
    ],
    ['tags', 'a.ris', 'TY  - A\n'.repeat(130_000)],
    ['authors', 'a.ris', `TY  - A\n${'AU  - B\n'.repeat(120_000)}ER  - \n`],
    ['one line', 'a.ris', `TY  - ${'A'.repeat(1_000_000)}`],
  ])('takes bounded time and memory for a megabyte of %s', async (_, path, text) => {
    let size = 0;
    const ms = await cpuTimeOf(() => {
      size = JSON.stringify([...readBibliography(path, text)]).length;
    });
    expect(ms).toBeLessThan(3000);
    expect(size).toBeLessThan(10_000_000);
  });

  it('takes keys of the prototype as data', () => {
    const [entry] = readBibliography(
      'a.json',
      '[{"__proto__":{"title":"x"},"id":"__proto__","type":"constructor"}]',
    );
    expect(entry).toMatchObject({ key: '__proto__', title: '', type: 'constructor' });
    const [own] = readBibliography('a.bib', '@a{constructor, __proto__ = {x}, title = {Owls}}');
    expect(own).toMatchObject({ key: 'constructor', title: 'Owls' });
    expect(({} as Record<string, unknown>).title).toBeUndefined();
  });
});

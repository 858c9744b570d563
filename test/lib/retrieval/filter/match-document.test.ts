import { describe, expect, it } from '@jest/globals';
import type { DatedDocument } from '../../../../lib/documents/documents.ts';
import { searchFilter } from '../../../../lib/retrieval/filter/filter-schema.ts';
import { documentMatcher } from '../../../../lib/retrieval/filter/match-document.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';

function document(fields: Partial<DatedDocument>): DatedDocument {
  return {
    ...{ path: 'papers/owls.md', title: 'Owls', authors: [], year: null, doi: null, kind: 'notes', tags: [] },
    ...{ citeKey: null, corrected: [], stated: {}, modifiedMs: 0 },
    ...fields,
  };
}

function matches(filter: unknown, fields: Partial<DatedDocument>): boolean {
  return documentMatcher(searchFilter.parse(filter))(document(fields));
}

describe('author of a filter', () => {
  it.each([
    ['García Márquez', 'Gabriel García Márquez'],
    ['garcia marquez', 'García Márquez, Gabriel'],
    ['Gabriel GARCÍA', 'García Márquez, G.'],
    ['G. García', 'Gabriel García Márquez'],
    ['garci\u0301a', 'GARC\u00CDA'],
    ['Sorensen', 'Søren Sørensen'],
    ['strasse', 'Anna Straße'],
    ['Jean Luc', 'Picard, Jean-Luc'],
    ["O'Brien", 'O’Brien, Mary'],
    ['山田太郎', '山田 太郎'],
    ['山田', '山田 太郎'],
    ['太郎', '山田太郎'],
    ['김철수', '김 철수'],
    ['Толстой Лев', 'Лев Толстой'],
    ['J. R. R. Tolkien', 'Tolkien, J.R.R.'],
    ['j', 'J'],
  ])('%s matches %s', (author, name) => {
    expect(matches({ author }, { authors: ['Someone Else', name] })).toBe(true);
  });

  it.each([
    ['Jane Smith', 'John Smith'],
    ['Li', 'Lindqvist, T.'],
    ['L', 'Zhang, Wei'],
    ['田', '山田太郎'],
    ['G M', 'Gabriel Márquez'],
    ['Ann Sand', 'Sand'],
    ['Moreau', ''],
    ['Moreau', '%'],
  ])('%s does not match %s', (author, name) => {
    expect(matches({ author }, { authors: [name] })).toBe(false);
  });

  it('does not combine the names of two authors', () => {
    expect(matches({ author: 'Ann Moreau' }, { authors: ['Ann Sand', 'Bea Moreau'] })).toBe(false);
  });

  it('is compared in bounded time with files that state hundreds of words as names', async () => {
    const isMatch = documentMatcher(searchFilter.parse({ author: `${'a '.repeat(95)}owl` }));
    const hostile = document({ authors: Array(100).fill('ab '.repeat(160)) });
    const ms = await cpuTimeOf(() => {
      for (let at = 0; at < 400; at++) expect(isMatch(hostile)).toBe(false);
    });
    expect(ms).toBeLessThan(5000); // it took 6.6 s
  });
});

describe('tag of a filter', () => {
  it.each([
    ['birds', 'birds/owls'],
    ['#Birds', 'birds'],
    ['birds', '#Birds'],
    ['oiseaux d’été', "Oiseaux d'ete"],
    ['owls', 'night, owls'],
    ['Lakes, rivers', 'lakes, rivers'],
    ['birds/owls', 'Birds/Owls/Tawny'],
    ['🦉', '🦉'],
  ])('%s matches %s', (tag, own) => {
    expect(matches({ tag }, { tags: ['other', own] })).toBe(true);
  });

  it.each([
    ['birds', 'birdsong'],
    ['owls', 'birds/owls'],
    ['birds/owls', 'birds'],
    ['bird', 'birds'],
  ])('%s does not match %s', (tag, own) => {
    expect(matches({ tag }, { tags: [own] })).toBe(false);
  });
});

describe('year of a filter', () => {
  it('includes both ends, and no file without a year', () => {
    const years = [null, 2018, 2019, 2020, 2021, 2022];
    const within = (year: unknown) => years.filter((own) => matches({ year }, { year: own }));
    expect(within({ from: 2019, to: 2021 })).toEqual([2019, 2020, 2021]);
    expect(within({ from: 2021 })).toEqual([2021, 2022]);
    expect(within({ to: 2018 })).toEqual([2018]);
    expect(within({ from: 2020, to: 2020 })).toEqual([2020]);
  });
});

describe('modification time of a filter', () => {
  const at = (time: string, more = 0) => ({ modifiedMs: Date.parse(time) + more });
  it.each([
    [{ from: '2026-11-30', to: '2026-11-30' }, at('2026-11-30T00:00:00Z'), true],
    [{ from: '2026-11-30', to: '2026-11-30' }, at('2026-11-30T23:59:59.999Z', 0.7), true],
    [{ to: '2026-11-29' }, at('2026-11-30T00:00:00Z'), false],
    [{ from: '2026-12-01' }, at('2026-11-30T23:59:59.999Z', 0.9), false],
    // The same moment is another day in Kiritimati and in Honolulu.
    [{ from: '2026-12-01T00:00:00+14:00' }, at('2026-11-30T10:00:00Z'), true],
    [{ from: '2026-12-01T00:00:00+14:00' }, at('2026-11-30T09:59:59.999Z', 0.9), false],
    [{ to: '2026-11-30T23:59:59.999-10:00' }, at('2026-12-01T09:59:59.999Z', 0.5), true],
    [{ to: '2026-11-30T23:59:59.999-10:00' }, at('2026-12-01T10:00:00Z'), false],
    // The night in which Berlin's clocks go back has 25 hours.
    [
      { from: '2026-10-25T00:00:00+02:00', to: '2026-10-25T23:59:59.999+01:00' },
      at('2026-10-25T22:30:00Z'),
      true,
    ],
    [{ from: '2024-02-29', to: '2024-02-29' }, at('2024-02-29T12:00:00Z'), true],
    [{ to: '1969-12-31' }, at('1970-01-01T00:00:00Z'), false],
  ])('%j and a file of %j: %s', (modified, fields, expected) => {
    expect(matches({ modified }, fields)).toBe(expected);
  });
});

describe('path of a filter', () => {
  it.each([
    ['papers', true],
    ['./papers//', true],
    ['papers/owls.md', true],
    ['', true],
    ['paper', false],
    ['papers/owls', false],
    ['Papers', false],
    ['papers/../papers', false],
  ])('%j matches papers/owls.md: %s', (path, expected) => {
    expect(matches({ path, kind: 'notes' }, {})).toBe(expected);
  });

  it('matches any Unicode form of a name', () => {
    expect(matches({ path: 'Bücher' }, { path: 'Bu\u0308cher/a.md' })).toBe(true);
  });
});

describe('several fields of a filter', () => {
  it('must all match', () => {
    const fields = {
      authors: ['Ann Sand'],
      year: 2021,
      tags: ['birds'],
      modifiedMs: Date.parse('2026-11-30'),
    };
    const filter = { author: 'Sand', year: { from: 2021 }, tag: 'birds', kind: 'notes', path: 'papers' };
    expect(matches({ ...filter, modified: { to: '2026-11-30' } }, fields)).toBe(true);
    for (const other of [
      { author: 'Sander' },
      { year: { to: 2020 } },
      { tag: 'fish' },
      { kind: 'pdf' },
      { path: 'notes' },
    ])
      expect(matches({ ...filter, ...other }, fields)).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  conflictingPairs,
  describeSource,
  placeNumbers,
  sentenceCounts,
  sourcesOf,
} from '../../../lib/api-contract/report-places.ts';
import { makeEvidence } from '../../support/research-reports.ts';

describe('placeNumbers', () => {
  it('gives the same number to the same quote at the same location, for all questions', () => {
    const place = { path: 'a.pdf', quote: 'Owls hunt.', page: 2 };
    const all = [
      makeEvidence('e1', place),
      makeEvidence('e2'),
      makeEvidence('e9', place),
      makeEvidence('e10', { ...place, startLine: 4 }),
    ];
    const { numberOf, cited } = placeNumbers(all);
    expect(['e1', 'e2', 'e9', 'e10', 'e7'].map(numberOf)).toEqual([1, 2, 1, 3, undefined]);
    expect(cited().map(({ id }) => id)).toEqual(['e1', 'e2', 'e10']);
  });
});

describe('conflictingPairs', () => {
  it('returns each pair once, and only pairs of valid claims', () => {
    const all = [
      makeEvidence('e1', { contradicts: ['e2', 'e9', 'e1', 'e4'] }),
      makeEvidence('e2', { contradicts: ['e1'] }),
      makeEvidence('e3'),
      makeEvidence('e4', { supports: 'no' }),
    ];
    expect(conflictingPairs(all).map((pair) => pair.map(({ id }) => id))).toEqual([['e1', 'e2']]);
  });
});

describe('sourcesOf', () => {
  it('lists each source once, with its numbers and pages in order', () => {
    const file = (id: string, path: string, page: number) => makeEvidence(id, { path, page });
    const cited = [
      file('e1', 'a.pdf', 7),
      file('e2', 'b.pdf', 1),
      file('e3', 'a.pdf', 2),
      file('e4', 'a.pdf', 7),
    ];
    expect(sourcesOf(cited).map(({ path, numbers, pages }) => ({ path, numbers, pages }))).toEqual([
      { path: 'a.pdf', numbers: [1, 3, 4], pages: [2, 7] },
      { path: 'b.pdf', numbers: [2], pages: [1] },
    ]);
  });
});

describe('describeSource', () => {
  it.each([
    [{ title: 'T', authors: ['A. B.'], year: 2021, venue: 'J' }, 'A. B. (2021): T. J'],
    [{ title: 'T', authors: ['A', 'B', 'C', 'D'], publishedDate: '2024-05-01' }, 'A; B et al. (2024): T'],
    [{ title: 'Additive or not?', venue: 'J' }, 'Additive or not? J'],
    [{ title: 'On “why?”', venue: 'J' }, 'On “why?” J'],
    [{ title: ' ' }, 'papers/x.pdf'],
  ])('describes %j', (fields, text) => {
    expect(describeSource({ kind: 'file', ...fields }, 'papers/x.pdf')).toBe(text);
  });
});

describe('sentenceCounts', () => {
  it('counts sentences without a claim separately, and counts removed sentences in no total', () => {
    expect(sentenceCounts({ sentences: 30, supported: 24, marked: 2, dropped: 1 })).toEqual({
      ...{ supported: 24, stated: 26, marked: 2, dropped: 1, plain: 3, judged: true },
    });
  });
});

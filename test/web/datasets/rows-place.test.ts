import { describe, expect, it } from '@jest/globals';
import { pagesBeside, readRowsPlace } from '../../../web/datasets/rows-place.ts';

describe('readRowsPlace', () => {
  it.each([
    [
      { split: 'train', from: 100 },
      { split: 'train', from: 100 },
    ],
    [{ split: 2020, from: '100' }, { split: '2020' }],
    [{ from: -1 }, {}],
    [{ from: 1.5, split: { a: 1 } }, {}],
    [{ from: 1e300 }, {}],
  ])('reads %j', (search, place) => {
    expect(readRowsPlace(search)).toEqual(place);
  });
});

describe('pagesBeside', () => {
  it.each([
    ['the only page', [0, 2, 2], [undefined, undefined]],
    ['the first of some', [0, 100, 250], [undefined, 100]],
    ['one that ended early', [100, 7, 250], [0, 107]],
    ['the last', [200, 50, 250], [100, undefined]],
    ['one after the last', [5000, 0, 250], [150, undefined]],
    ['one whose total is unknown', [100, 100, null], [0, 200]],
    ['the last of those', [100, 99, null], [0, undefined]],
    ['nothing', [0, 0, null], [undefined, undefined]],
  ] as const)('returns the pages before and after %s', (_what, [from, shown, total], [before, after]) => {
    expect(pagesBeside(from, shown, total)).toEqual({ before, after });
  });
});

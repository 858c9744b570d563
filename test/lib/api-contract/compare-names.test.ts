import { describe, expect, it } from '@jest/globals';
import { compareNames } from '../../../lib/api-contract/compare-names.ts';

describe('compareNames', () => {
  it('sorts capitals and accents next to their letters, and numbers by value', () => {
    const names = ['Zebra.md', 'README.md', 'élan.txt', 'part 10', 'part 9', 'apes.csv', 'B', 'b', 'Emu.txt'];
    expect(names.toSorted(compareNames)).toEqual([
      ...['apes.csv', 'b', 'B', 'élan.txt', 'Emu.txt', 'part 9', 'part 10', 'README.md', 'Zebra.md'],
    ]);
  });

  it.each([
    ['é', 'e\u0301'],
    ['1', '01'],
    ['ａ', 'a'],
  ])('distinguishes %s from %s, so that a page starts after the last name of another page', (one, other) => {
    expect(Math.sign(compareNames(one, other))).toBe(-Math.sign(compareNames(other, one)));
    expect(compareNames(one, other)).not.toBe(0);
  });
});

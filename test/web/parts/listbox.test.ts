import { describe, expect, it } from '@jest/globals';
import { comboboxOf, stepOf } from '../../../web/parts/combobox.ts';

describe('stepOf', () => {
  it.each([
    ['ArrowDown', 0, 3, 1],
    ['ArrowDown', 2, 3, 0],
    ['ArrowDown', -1, 3, 0],
    ['ArrowUp', 0, 3, 2],
    ['ArrowUp', -1, 3, 2],
    ['ArrowUp', 2, 3, 1],
    ['ArrowDown', 0, 0, undefined],
    ['Enter', 0, 3, undefined],
  ])('moves by %s from %d of %d', (key, at, count, to) => {
    expect(stepOf(key, at, count)).toBe(to);
  });
});

describe('comboboxOf', () => {
  it('names the chosen option of an open list', () => {
    expect(comboboxOf('list', true, 2)['aria-activedescendant']).toBe('list-2');
    expect(comboboxOf('list', true, -1)['aria-activedescendant']).toBeUndefined();
    expect(comboboxOf('list', false, 2)['aria-activedescendant']).toBeUndefined();
  });
});

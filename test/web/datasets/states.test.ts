import { describe, expect, it } from '@jest/globals';
import { cellText, patternsOf } from '../../../web/datasets/states.ts';

describe('patternsOf', () => {
  it('takes a line for one, and nothing for all', () => {
    expect(patternsOf(' *.csv \n\n data/* ')).toEqual(['*.csv', 'data/*']);
    expect(patternsOf(' \n ')).toBeUndefined();
  });
});

describe('cellText', () => {
  it('makes a text of every value, and of a long one its beginning', () => {
    expect([null, undefined, 0, false, 'a', { b: [1] }].map(cellText)).toEqual([
      '',
      '',
      '0',
      'false',
      'a',
      '{"b":[1]}',
    ]);
    expect(cellText('x'.repeat(10_000))).toHaveLength(501);
  });
});

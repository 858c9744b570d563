import { describe, expect, it } from '@jest/globals';
import { cellText, patternsOf } from '../../../web/datasets/states.ts';

describe('patternsOf', () => {
  it('reads one pattern per line, and treats an empty text as all files', () => {
    expect(patternsOf(' *.csv \n\n data/* ')).toEqual(['*.csv', 'data/*']);
    expect(patternsOf(' \n ')).toBeUndefined();
  });
});

describe('cellText', () => {
  it('returns a text for every value, and the start of a long text', () => {
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

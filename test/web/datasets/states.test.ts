import { describe, expect, it } from '@jest/globals';
import { cellText, patternsOf, repoIdOf } from '../../../web/datasets/states.ts';

describe('patternsOf', () => {
  it('takes a line for one, and nothing for all', () => {
    expect(patternsOf(' *.csv \n\n data/* ')).toEqual(['*.csv', 'data/*']);
    expect(patternsOf(' \n ')).toBeUndefined();
  });
});

describe('repoIdOf', () => {
  it.each([
    ['owner/name', 'owner/name'],
    [' https://hub.example/datasets/owner/name/tree/main ', 'owner/name'],
    ['https://hub.example/owner/name', 'owner/name'],
    ['name', 'name'],
  ])('reads %j as %j', (text, id) => {
    expect(repoIdOf(text)).toBe(id);
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

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findQuote } from '../../../../lib/retrieval/cite/quote.ts';

function quote(text: string, claim: string, runs = [{ start: 0, end: text.length }]): string | undefined {
  const place = findQuote(text, runs, claim);
  return place && text.slice(place.start, place.end);
}

describe('findQuote', () => {
  it.each([
    ['a sentence', 'Apes climb. Bears swim far. Cats sleep.', 'bears can swim', 'Bears swim far.'],
    ['a line', 'name,age\nann,31\nbob,47\n', 'Bob is 47', 'bob,47'],
    ['a line that ends in CRLF', 'one fish\r\ntwo birds\r\n', 'two birds', 'two birds'],
    ['Chinese', '猴子会爬树。熊会游泳。猫在睡觉。', '熊游泳', '熊会游泳。'],
    [
      'neighbors that say it together',
      'Ann has cats. Bob has dogs. Rain falls.',
      'Ann cats Bob dogs',
      'Ann has cats. Bob has dogs.',
    ],
    ['no heading with it', '# Paint\n\nPaint lasts long.', 'paint lasts long', 'Paint lasts long.'],
    [
      'the one that has the number',
      'Sales of apes grew. Sales grew by 12 % here too.',
      'Sales of apes grew by 12 %',
      'Sales of apes grew. Sales grew by 12 % here too.',
    ],
  ])('finds %s', (_, text, claim, expected) => {
    expect(quote(text, claim)).toBe(expected);
  });

  it('stays within a run', () => {
    const text = 'Apes <b>climb</b> high trees';
    const runs = [
      { start: 0, end: 5 },
      { start: 8, end: 13 },
      { start: 17, end: text.length },
    ];
    expect(quote(text, 'apes climb high trees', runs)).toBe('high trees');
  });

  it.each([
    ['# Report', 'Bananas grow on Mars under purple light'],
    ['The board is in the house of the city.', 'The owl is on the roof of the barn.'],
    ['猫在睡觉。', '熊会游泳。'],
    ['Сова спит.', 'Медведь плавает.'],
    ['Bears swim.', '熊会游泳。'],
  ])('finds nothing where nothing is alike: %s, %s', (text, claim) => {
    expect(quote(text, claim)).toBeUndefined();
  });

  it('finds nothing where there is no text', () => {
    expect(quote(' \n\t ', 'apes')).toBeUndefined();
    expect(findQuote('apes', [], 'apes')).toBeUndefined();
  });

  it('is always a trimmed piece of the text of at most 400 characters', () => {
    const piece = fc.constantFrom(
      'ape ',
      'x'.repeat(390),
      '😀',
      '\r\n',
      '\n\n',
      '。',
      '. ',
      '熊',
      '\t',
      'bear',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const found = quote(text, 'ape bear 熊');
        if (found === undefined) return;
        expect(found).toMatch(/ape|bear|熊/);
        expect(found).toBe(found.trim());
        expect(found.length).toBeLessThanOrEqual(400);
        expect(found.isWellFormed()).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

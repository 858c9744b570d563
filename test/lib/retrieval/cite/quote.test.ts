import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findQuote } from '../../../../lib/retrieval/cite/quote.ts';

const LICENSE = readFileSync('LICENSE', 'utf8');

function quote(text: string, claim: string, runs = [{ start: 0, end: text.length }]): string | undefined {
  const place = findQuote(text, runs, claim);
  return place && text.slice(place.start, place.end);
}

const CRANES = 'Site | Cranes 2021 | Cranes 2022\nNorth bay | 410 | 520\nSouth bay | 390 | 720';

describe('findQuote', () => {
  it.each([
    ['a sentence', 'Apes climb. Bears swim far. Cats sleep.', 'bears can swim', 'Bears swim far.'],
    ['a line', 'name,age\nann,31\nbob,47\n', 'Bob is 47', 'bob,47'],
    ['a line that ends in CRLF', 'one fish\r\ntwo birds\r\n', 'two birds', 'two birds'],
    ['Chinese', '猴子会爬树。熊会游泳。猫在睡觉。', '熊游泳', '熊会游泳。'],
    [
      'neighboring sentences that support the claim together',
      'Ann has cats. Bob has dogs. Rain falls.',
      'Ann cats Bob dogs',
      'Ann has cats. Bob has dogs.',
    ],
    [
      'a row with the header of its table',
      `Cranes rest at the lake.\n${CRANES}\nThe lake froze.`,
      'In 2022 the south bay had 720 cranes',
      CRANES,
    ],
    [
      'the row of a slide that has the number',
      'Results by temperature\nCapacity after 1,500 cycles\nTemperature | Capacity\n10 C | 85 %\n25 C | 82 %\n45 C | 64 %',
      'At 45 C the capacity was 64 %',
      'Temperature | Capacity\n10 C | 85 %\n25 C | 82 %\n45 C | 64 %',
    ],
    ['a sentence without a heading', '# Paint\n\nPaint lasts long.', 'paint lasts long', 'Paint lasts long.'],
    [
      'the sentence that has the number',
      'Sales of apes grew. Sales grew by 12 % here too.',
      'Sales of apes grew by 12 %',
      'Sales of apes grew. Sales grew by 12 % here too.',
    ],
    [
      'the sentence that covers more of the claim, even if it says more',
      'Bears like fish. In spring, when the ice breaks, brown bears walk for days to the river to catch salmon.',
      'Brown bears walk to the river in spring to eat fish',
      'In spring, when the ice breaks, brown bears walk for days to the river to catch salmon.',
    ],
    [
      'the sentence with the rare words',
      'The study of owls began.\n\nThe study of owls was short.\n\nThe study found mites.\n\nThe study of owls ended.',
      'The study of owls reports mites',
      'The study found mites.',
    ],
    [
      'other forms of the words',
      'A bear is an animal. Bears swim in cold rivers. A river is cold.',
      'The bear swims in a cold river',
      'Bears swim in cold rivers.',
    ],
    [
      'a sentence that says more than the heading',
      '# Brown bears and rivers\nIn spring brown bears swim across the rivers of the park.',
      'Brown bears and rivers: the bears swim across',
      'In spring brown bears swim across the rivers of the park.',
    ],
    [
      'text in quotation marks, even across a line break',
      'Bears swim far in the north, bears swim well.\n\nHe said: it was never\nmeant to last, and left.',
      'Bears in the north swim, though “it was never meant to last.”',
      'He said: it was never\nmeant to last, and left.',
    ],
    [
      'a sentence with an abbreviation as a whole',
      'Rain fell. In May Dr. Miller counted the owls. It was cold.',
      'Miller counted owls in May',
      'In May Dr. Miller counted the owls.',
    ],
    [
      'a number with its separators',
      'It has 1,200 beds. It has 200 rooms.',
      'There are 1200 beds',
      'It has 1,200 beds.',
    ],
    ['a Thai word', 'แมวนอนหลับ\nหมีว่ายน้ำในแม่น้ำ', 'หมีว่ายน้ำ', 'หมีว่ายน้ำในแม่น้ำ'],
    [
      'Chinese after a Latin word',
      '猫在睡觉。GPT模型会翻译文章。',
      '这个模型会翻译文章',
      'GPT模型会翻译文章。',
    ],
  ])('finds %s', (_, text, claim, expected) => {
    expect(quote(text, claim)).toBe(expected);
  });

  it('stays within one run', () => {
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
    [LICENSE, 'Zeppelins are purple'],
    [LICENSE, 'Zeppelins are purple, and the pilots use no other color'],
    [LICENSE, '齐柏林飞艇是紫色的'],
  ])('finds nothing if no sentence is similar: %s, %s', (text, claim) => {
    expect(quote(text, claim)).toBeUndefined();
  });

  it('finds nothing in an empty text', () => {
    expect(quote(' \n\t ', 'apes')).toBeUndefined();
    expect(findQuote('apes', [], 'apes')).toBeUndefined();
  });

  it('ends with the row that the claim names, and not with another row that has the same number', () => {
    const table =
      'Site | Method | Survival after 3 years\nLarvik | Staples | 62%\nKragero | Bare roots | 41%\nGrimstad | Seeds | 5%';
    expect(quote(table, 'Survival after 3 years was 41% at Grimstad.')).toBe(table);
  });

  it.each([
    [
      'We counted apes on the coast\nof Norway between 2016\nand 2019. It rained.',
      'We counted apes on the coast of Norway',
      'of Norway between 2016\nand 2019.',
    ],
  ])('ends with the sentence, even if the sentence continues on the next line: %j', (text, claim, end) => {
    expect(quote(text, claim)).toMatch(new RegExp(`${end}$`));
  });

  it.each([
    ['Apes live here\n\nand bears do not.', 'Apes live here'],
    ['Apes live here\nBears do not.', 'Apes live here'],
    ['| apes live | here |\n| bears | there |', '| apes live | here |'],
  ])('ends with the line if the line is the whole sentence: %j', (text, all) => {
    expect(quote(text, 'Apes live here')).toBe(all);
  });

  it('always returns a trimmed part of the text, at most 400 characters long', () => {
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

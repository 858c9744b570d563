import { describe, expect, it } from '@jest/globals';
import { findAsQuoted, findQuoteIn } from '../../../lib/broken-citations/find-quote.ts';
import { lineStarts } from '../../../lib/formats/lines.ts';
import type { Quote } from '../../../lib/quotations/schema.ts';
import type { QuotableFile } from '../../../lib/retrieval/cite/sources.ts';

function fileOf(text: string, hash = 'now'): QuotableFile {
  const runs = [{ start: 0, end: text.length }];
  return { text, hash, lines: lineStarts(text), runs, partAt: () => undefined };
}

function lineOf(quote: string, text: string): number | undefined {
  return findQuoteIn(fileOf(text), { quote, startLine: 1 })?.startLine;
}

describe('findQuoteIn', () => {
  it.each([
    ['12 owls live here.', '112 owls live here.'],
    ['5 mg per day is safe.', '1.5 mg per day is safe.'],
    ['5 degrees were measured', 'At night, -5 degrees were measured'],
    ['Dose: 5', 'Dose: 50'],
    ['Dose: 5', 'Dose: 5.5'],
    ['| Berlin | 3', '| Berlin | 31 |'],
    ['able to fly in winter', 'Owls are unable to fly in winter'],
    ['able to fly in winter', 'Owls are not able to fly in winter'],
    ['会导致癌症。', '不会导致癌症。'],
    ['五人死亡。', '十五人死亡。'],
  ])('does not find %j in %j', (quote, text) => {
    expect(lineOf(quote, text)).toBeUndefined();
  });

  it.each([
    ['12 owls live here.', '112 owls live here.\n\n12 owls live here.', 3],
    ['Owls hunt', 'All owls: Owls\nhunt', 1],
    ['Dose: 5', 'Dose: 5.', 1],
    ['会导致癌症。', '研究表明会导致癌症。', 1],
    ['"Owls" hunt', 'Say:"Owls" hunt', 1],
  ])('finds %j in %j', (quote, text, line) => {
    expect(lineOf(quote, text)).toBe(line);
  });

  it('finds the beginning of a long quote that was kept, which may end within a word', () => {
    const long = 'Owls hunt at night. '.repeat(40);
    expect(lineOf(long.slice(0, 400), long)).toBe(1);
    expect(lineOf(long.slice(0, 397), long.replace('Owls', 'howls'))).toBeUndefined();
  });
});

describe('findAsQuoted', () => {
  const quoted = { quote: 'wls hunt', startLine: 1, fileHash: 'old', isCut: false } as Quote;

  it('finds what a person quoted from within a word, and finds it in later versions, too', () => {
    expect(findAsQuoted(fileOf('Owls hunt', 'old'), quoted)).toMatchObject({ isCut: true });
    expect(findAsQuoted(fileOf('Owls hunt'), { ...quoted, isCut: true })).toBeDefined();
    expect(findAsQuoted(fileOf('Owls hunt'), { ...quoted, fileHash: null })).toBeDefined();
  });

  it('does not find it so in another version when it was whole', () => {
    expect(findAsQuoted(fileOf('Owls hunt'), quoted)).toBeUndefined();
    expect(findAsQuoted(fileOf('wls hunt', 'old'), quoted)).toMatchObject({ isCut: false });
  });
});

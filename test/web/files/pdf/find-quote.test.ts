import { describe, expect, it } from '@jest/globals';
import { findQuote } from '../../../../web/files/pdf/find-quote.ts';

const marked = (items: string[], quote: string) =>
  findQuote(items, quote).map(({ item, start, end }) => items[item]?.slice(start, end));

describe('findQuote', () => {
  it('finds words in one text and across several', () => {
    expect(marked(['Owls hunt at night.'], 'hunt at')).toEqual(['hunt at']);
    expect(marked(['Owls hu', 'nt at', ' night.'], 'hunt at night')).toEqual(['hu', 'nt at', 'night']);
  });

  it.each([
    ['a line break', ['their', 'feathers'], 'their feathers', ['their', 'feathers']],
    ['a hyphen at a line end', ['their feath-', 'ers'], 'their feathers', ['their feath', 'ers']],
    ['a hyphen that the quote keeps', ['feath-', 'ers'], 'feath- ers', ['feath', 'ers']],
    ['a soft hyphen', ['fea\u00ADthers'], 'feathers', ['fea\u00ADthers']],
    ['a ligature', ['the \uFB01nest o\uFB03ce'], 'finest office', ['\uFB01nest o\uFB03ce']],
    ['spaced letters', ['O w l s  hunt'], 'Owls hunt', ['O w l s  hunt']],
    ['diacritics', ['Gr\u00F6\u00DFe'], 'Gro\u0308\u00DFe', ['Gr\u00F6\u00DFe']],
    [
      'other scripts',
      ['\u732B\u5934', '\u9E70\u5728\u591C\u95F4'],
      '\u732B\u5934\u9E70',
      ['\u732B\u5934', '\u9E70'],
    ],
  ])('is not misled by %s', (_what, items, quote, found) => {
    expect(marked(items, quote)).toEqual(found);
  });

  it('keeps positions correct after surrogate pairs', () => {
    expect(marked(['\u{1D4AA}\u{1F989} owls hunt'], 'owls hunt')).toEqual(['owls hunt']);
  });

  it('does not find missing text, or text with too few letters', () => {
    for (const quote of ['eagles', '', '  ', 'a', '-- --'])
      expect(findQuote(['Owls hunt a lot'], quote)).toEqual([]);
  });

  it.each([
    [
      'composed accents',
      ['Written by H ¨', 'ubner and J ´', 'egou, Mart´', 'ınez'],
      'Hübner and Jégou, Martínez',
    ],
    ['letters drawn twice', ['Z', 'Ziir', 'rk', 'ko', 'on', 'niiu', 'um', 'm'], 'Zirkonium'],
    ['a word hyphenated at a line end', ['The mass spectro-', 'meter was'], 'spectro-\nmeter'],
    ['columns of single characters', ['東', '京', '都', '条'], '東京都条'],
  ])('finds a quote with %s', (_what, items, quote) => {
    expect(findQuote(items, quote).map(({ item }) => item)).toContain(0);
    expect(findQuote(items, quote).at(-1)?.item).toBeGreaterThanOrEqual(items.length - 2);
  });
});

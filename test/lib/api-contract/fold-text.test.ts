import { expect, it } from '@jest/globals';
import { foldForSearch, foldText } from '../../../lib/api-contract/fold-text.ts';

/** Pairs that a reader considers the same text, in several scripts. */
const SAME = [
  ['composed letters', 'résumé Việt 한글 がぎ ё й', 'résumé Việt 한글 がぎ ё й'.normalize('NFD')],
  ['ligatures', 'ﬁnancial eﬃciency ǆ ĳ', 'financial efficiency dž ij'],
  ['Arabic forms', 'ﻼ ﻣﺤﻤﺪ', 'لا محمد'],
  ['Arabic elongated letters', 'محمـــد مـُحـَمـد', 'محمد مُحَمد'],
  ['Armenian ligatures', 'ﬓ', 'մն'],
  ['widths', 'ＡＢＣ１２３ ｶﾞｷﾞｰ', 'ABC123 ガギ ー'],
  ['radicals', '⼈⼝', '人口'],
  ['mathematical letters', '𝐀𝟙', 'A1'],
  ['Roman numerals', 'Ⅳ', 'IV'],
  ['units', '5㎏ ℃', '5kg °C'],
  ['invisible characters', 'so\u00ADft ze\u200Bro می\u200Cخواهم \uFEFFx', 'soft zero میخواهم x'],
  ['white space', 'a\u00A0\u2009b\t\n c\u3000d', 'a b c d'],
  ['dashes', 'a‑b c–d e − f', 'a-b c-d e - f'],
  ['quotation marks', '„a“ »b« 「c」 don’t צה״ל', '"a" "b" "c" don\'t צה"ל'],
  ['nukta', 'क़लम', 'क़लम'],
  ['hyphenated words', 'encyclo-\r\n  pedia энцикло-\nпедия', 'encyclopedia энциклопедия'],
  ['line breaks in Chinese', '结果\n可靠。\n如下', '结果可靠。如下'],
];

it.each(SAME)('foldText folds %s to one spelling', (_, one = '', other = '') => {
  expect(foldText(one).text).toBe(foldText(other).text);
});

it.each([
  ['resume', 'résumé'],
  ['STRASSE', 'Straße'],
  ['oster', 'Øster'],
  ['lodz', 'ŁÓDŹ'],
  ['aether', 'Æther'],
  ['dang', 'Đặng'],
  ['istanbul isparta isi', 'İstanbul ISPARTA ısı'],
  ['οδυσσευσ', 'Ὀδυσσεύς'],
  ['елка замок', 'Ёлка за́мок'],
  ['محمد احمد', 'مُحَمَّد أَحمد'],
  ['שלום', 'שָׁלוֹם'],
])('foldText finds %s in %s', (one, other) => {
  expect(foldForSearch(other)).toBe(foldForSearch(one));
});

it.each([
  ['мой', 'мои'],
  ['їх', 'іх'],
  ['ґрати', 'грати'],
  ['што', 'щто'],
  ['ўсё', 'усё'],
  ['हिन्दी', 'हनद'],
  ['कि', 'की'],
  ['ข่าว', 'ข้าว'],
  ['かき', 'がき'],
  ['ハン', 'パン'],
  ['달', '탈'],
  ['சொல்', 'சொல'],
  ['سؤال', 'سوال'],
  ['10²', '102'],
  ['10⁻³', '10-3'],
])('foldText keeps the words %s and %s distinct', (one, other) => {
  expect(foldForSearch(other)).not.toBe(foldForSearch(one));
  expect(foldText(other).text).not.toBe(foldText(one).text);
});

it('foldText keeps the case and accents of a spelling', () => {
  expect(foldText('Résumé straße').text).toBe('Résumé straße');
});

it('foldText maps back to positions of the source, but not into a character', () => {
  const source = `x\u200B ﬁne re\u0301s-\nume\u0301  “end”`;
  const { text, placeOf } = foldText(source);
  const shown = (part: string) => {
    const start = text.indexOf(part);
    const place = placeOf(start, start + part.length);
    return place && source.slice(place.start, place.end);
  };
  expect(text).toBe(`x fine résumé 'end'`);
  expect(shown('x')).toBe('x');
  expect(shown('fine')).toBe('ﬁne');
  expect(shown('ine')).toBeUndefined();
  expect(shown('résumé')).toBe('re\u0301s-\nume\u0301');
  expect(shown('sum')).toBe('s-\num');
  expect(shown("'end'")).toBe('“end”');
  expect(placeOf(0, text.length)).toEqual({ start: 0, end: source.length });
});

it('foldText keeps the hyphen of a divided word on request', () => {
  expect(foldText('well-\nknown', { joined: false }).text).toBe('well-known');
});

it('foldText folds a plain text in the same way as a text with positions', () => {
  const signs = [' ', '-', "'", '"', '\n', '\t', 'a', 'B', '7', '.', '_', '~', '\u007f', 'é', '’'];
  for (let number = 0; number < signs.length ** 4; number += 7) {
    const text = [0, 1, 2, 3]
      .map((at) => signs[Math.floor(number / signs.length ** at) % signs.length])
      .join('');
    expect(foldForSearch(text)).toBe(foldText(text, { as: 'search' }).text);
  }
});

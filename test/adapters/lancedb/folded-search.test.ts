import { describe, expect, it } from '@jest/globals';
import { lancedbVectors } from '../../../lib/adapters/lancedb/vectors.ts';
import type { PassageRow } from '../../../lib/ports/vectors.ts';
import { rankByWords } from '../../../lib/retrieval/rank/rank-words.ts';
import { searchedTerms, termsOf } from '../../../lib/retrieval/rank/terms.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Two spellings of the same text, by script. Each must find the other. */
const PAIRS = [
  ['Latin', 'résumé', 'resume'],
  ['Latin', 'résumé', 're\u0301sume\u0301'],
  ['Latin', 'résumés', 'resumes'],
  ['Latin', 'ﬁnancial eﬃciency', 'financial efficiency'],
  ['Latin', 'encyclo-\npedia', 'encyclopedia'],
  ['Latin', 'hyphen\u00ADation', 'hyphenation'],
  ['Latin', 'key\u200Bboard', 'keyboard'],
  ['Latin', 'Straße', 'STRASSE'],
  ['Latin', 'København', 'Kobenhavn'],
  ['Latin', 'Łódź', 'Lodz'],
  ['Latin', 'Æthelred', 'Aethelred'],
  ['Latin', 'İstanbul', 'istanbul'],
  ['Latin', 'DIYARBAKIR', 'Diyarbakır'],
  ['Latin', 'Đặng Thế', 'dang the'],
  ['Latin', 'Tiếng Việt', 'Tiếng Việt'.normalize('NFD')],
  ['Latin', 'Škoda', 'skoda'],
  ['Latin', 'naïveté', 'naivete'],
  ['Latin', 'Ångström', 'Ångstro\u0308m'],
  ['Latin', 'ＡＬＰＨＡ', 'alpha'],
  ['Latin', '𝐁𝐨𝐥𝐝𝐟𝐚𝐜𝐞', 'boldface'],
  ['Latin', 'CO₂', 'CO2'],
  ['Latin', 'κm 47㎏', '47 kg'],
  ['Latin', 'don’t-worry-beacon’s', "don't-worry-beacon's"],
  ['Greek', 'Οδυσσέας', 'ΟΔΥΣΣΕΑΣ'],
  ['Greek', 'ἄνθρωπος', 'ανθρωπος'],
  ['Greek', 'άνθρωπος', 'άνθρωπος'.normalize('NFD')],
  ['Cyrillic', 'Ёлка', 'елка'],
  ['Cyrillic', 'за́мок', 'замок'],
  ['Cyrillic', 'Йошкар', 'йошкар'.normalize('NFD')],
  ['Cyrillic', 'энцикло-\nпедия', 'энциклопедия'],
  ['Cyrillic', 'Київ', 'київ'.normalize('NFD')],
  ['Arabic', 'مُحَمَّد', 'محمد'],
  ['Arabic', 'محمـــد', 'محمد'],
  ['Arabic', 'ﻣﺤﻤﺪ', 'محمد'],
  ['Arabic', 'أحمد', 'احمد'],
  ['Arabic', 'می\u200Cخواهم', 'میخواهم'],
  ['Hebrew', 'שָׁלוֹם', 'שלום'],
  ['Hebrew', 'צה״ל', 'צה"ל'],
  ['Devanagari', 'क़लम', 'क\u093Cलम'],
  ['Bengali', 'বাংলাদেশ ড়', 'বাংলাদেশ ড\u09BC'],
  ['Tamil', 'கொடி', 'கெ\u0BBEடி'],
  ['Thai', 'น้ำ', 'น\u0E49\u0E4D\u0E32'],
  ['Korean', '한글 문서', '한글 문서'.normalize('NFD')],
  ['Japanese', 'ガギグ', 'ｶﾞｷﾞｸﾞ'],
  ['Japanese', 'パーティー', 'パーティー'.normalize('NFD')],
  ['Chinese', '人口统计', '⼈⼝统计'],
  ['Chinese', '１２３４５号文件', '12345号文件'],
  ['Armenian', 'ﬓւսիկ', 'մնւսիկ'],
] as const;

/** Pairs that are different words. */
const APART = [
  ['мой', 'мои'],
  ['はし', 'ばし'],
  ['कि', 'की'],
  ['달', '탈'],
  ['ดี', 'ดู'],
  ['كتاب', 'كتب'],
] as const;

function row(path: string, text: string): PassageRow {
  const place = { startLine: 1, endLine: 2, startChar: 0, endChar: text.length };
  return { path, chunk: 0, fileHash: path, text, part: {}, context: '', ...place, vector: null };
}

const vectors = lancedbVectors(await tempFolder());
const table = await vectors.open('folded', 'lexical');
const texts = [...PAIRS.flatMap(([, one, other]) => [one, other]), ...APART.flat()];
await table.write(
  [...new Set(texts)].map((text) => row(`f${texts.indexOf(text)}`, text)),
  [],
);

/** Returns the texts that a question finds, together with one of their parts. */
async function find(question: string): Promise<string[]> {
  const found = await table.searchText(searchedTerms(question).join(' '), 50);
  const { passages } = rankByWords(termsOf(question), found);
  return passages.filter(({ score }) => score > 0).map(({ text }) => text);
}

describe('keyword search', () => {
  it.each(PAIRS)('finds %s %j by %j, and vice versa', async (_, one, other) => {
    expect(await find(other)).toContain(one);
    expect(await find(one)).toContain(other);
  });

  it.each(APART)('does not find %j by %j', async (one, other) => {
    expect(await find(other)).not.toContain(one);
    expect(await find(one)).not.toContain(other);
  });

  it('searches a file with a name in another Unicode normalization form', async () => {
    const named = await vectors.open('named', 'lexical');
    const path = 'Über/Büro.md'.normalize('NFD');
    await named.write([row(path, 'owls hunt'), row('Uber/Buro.md', 'owls hunt')], []);
    for (const scope of ['Über/Büro.md', 'Über'].map((each) => each.normalize('NFC'))) {
      const found = await named.searchText('owls', 5, { paths: [scope] });
      expect(found.map((passage) => passage.path)).toEqual([path]);
    }
  });

  it('ranks the word with the same accents as the question first', async () => {
    const [, , ...others] = ['ma', 'má', 'mà', 'mả', 'mạ'];
    const tones = await vectors.open('tones', 'lexical');
    const words = ['ma', 'má', ...others];
    await tones.write(
      words.map((word) => row(word, `${word} ${word}`)),
      [],
    );
    for (const word of words.slice(1)) {
      const found = await tones.searchText(word, 5);
      expect(found.map(({ path }) => path)).toHaveLength(words.length);
      expect(found[0]?.path).toBe(word);
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { wordFindings, wordWithPlaces } from '../../../lib/api-contract/finding-words.ts';
import { type Finding, MARKS } from '../../../lib/api-contract/findings.ts';
import { SUPPORTS } from '../../../lib/api-contract/support.ts';
import { readUncited } from '../../../web/chat/message-view.ts';
import { aboutOf, isQuoteAlone, namesOf } from '../../../web/chat/support-reason.ts';
import { countShown, countUncited } from '../../../web/chat/support-summary.ts';
import en from '../../../web/languages/en/chat.json' with { type: 'json' };
import zh from '../../../web/languages/zh-CN/chat.json' with { type: 'json' };

const view = { placeOf: (place: number) => place };
const SITES: Finding = { rule: 'number_missing', own: '999', found: '630' };
const YEAR: Finding = { rule: 'date_missing', own: '2031', where: { path: 'a.pdf', page: 4 } };

describe('aboutOf', () => {
  it('explains a state by its judge and its findings', () => {
    const named = SUPPORTS.map((support) => aboutOf({ support, by: 'model', findings: [] }));
    expect(named).toEqual(['supported', 'not_in_source', 'not_in_source', 'contradicted', 'facts_found']);
    expect(aboutOf({ support: 'full', by: 'code' })).toBe('sameWords');
    expect(aboutOf({ support: 'partial', findings: [SITES] })).toBe('factsMissing');
    expect(aboutOf({ support: 'none', isMissing: true })).toBe('missing');
  });

  it('distinguishes a sentence without facts from a sentence whose facts were found', () => {
    const ok = [{ kind: 'number' as const, ok: true }];
    expect(aboutOf({ support: 'unjudged', checks: [] })).toBe('quoteFound');
    expect(aboutOf({ support: 'unjudged', checks: ok })).toBe('facts_found');
    expect(isQuoteAlone({ support: 'full', checks: [] })).toBe(false);
  });
});

describe('namesOf', () => {
  it('names the missing facts in at most 40 characters, each once', () => {
    expect(namesOf([SITES, YEAR, SITES, { rule: 'negation', own: 'not' }], ', ')).toBe('999, 2031');
    expect(namesOf([SITES, YEAR], '、')).toBe('999、2031');
    const long = namesOf([SITES, { rule: 'name_missing', own: `${'𝔘'.repeat(34)} of Munich` }], ', ');
    expect([...long]).toHaveLength(40);
    expect(long).toMatch(/^999, .*…$/);
    expect(namesOf(undefined, ', ')).toBe('');
  });
});

describe('wordFindings', () => {
  it("describes the source's text and its location, in the reader's language", () => {
    expect(wordFindings([SITES, YEAR], 'partial')).toEqual([
      'Not in the source: 999, 2031.',
      'The source has “630” where the sentence has “999”.',
      '2031 is in a.pdf, page 4.',
    ]);
    expect(wordFindings([SITES, YEAR], 'partial', 'zh')).toEqual([
      '来源中没有：999、2031。',
      '来源写的是“630”，而句子写的是“999”。',
      '2031 在 a.pdf，第 4 页。',
    ]);
  });

  it('keeps the location for each sentence that names a location', () => {
    expect(wordWithPlaces([SITES, YEAR], 'partial').map(({ where }) => where)).toEqual([
      undefined,
      undefined,
      YEAR.where,
    ]);
  });
});

describe('countShown', () => {
  const PLACE = { path: 'a.md', startLine: 1, endLine: 1, quote: 'Owls hunt at night.' };
  const TEXT =
    'Owls hunt at night [1]. They weigh 999 kg [2]. They sing in 2031 [3]. They swim far [4]. It is.';
  const CITED = [
    { ...PLACE, index: 1, support: 'unjudged' as const },
    { ...PLACE, index: 2, support: 'partial' as const, findings: [SITES] },
    { ...PLACE, index: 3, support: 'partial' as const, findings: [SITES, YEAR] },
    { ...PLACE, index: 4, support: 'contradicted' as const },
  ];

  it('counts sentences by their mark, and sentences that lack a number or another fact', () => {
    expect(countShown(TEXT, CITED)).toEqual({
      sentences: 4,
      marks: { contradicted: 1, not_in_source: 2, facts_found: 1, supported: 0 },
      lacking: { number: 1, fact: 1, part: 0 },
      isJudged: false,
    });
  });

  it('counts a sentence with two citations once, by the weakest', () => {
    const counted = countShown('Owls hunt at night [1][4]. They hunt by day [1].', [
      { ...PLACE, index: 1, support: 'full', by: 'nli' },
      { ...PLACE, index: 4, support: 'none', by: 'nli' },
    ]);
    expect(counted).toMatchObject({
      sentences: 2,
      marks: { not_in_source: 1, supported: 1 },
      isJudged: true,
    });
    expect(counted?.lacking).toEqual({ number: 0, fact: 0, part: 1 });
  });

  it("uses the service's number of sentences that need a source", () => {
    expect(countUncited({ support: { uncited: 2 } })).toBe(2);
    for (const odd of [undefined, null, 7, { support: null }, { support: { uncited: '1' } }])
      expect(countUncited(odd)).toBe(0);
  });

  it('returns nothing for a text whose citations have no support', () => {
    expect(countShown(TEXT, [{ ...PLACE, index: 1 }])).toBeUndefined();
  });
});

describe('sentences without a source', () => {
  it('are read from the metadata, without malformed sentences', () => {
    const uncited = [
      { start: 3, end: 9, text: 'x' },
      null,
      { start: 9, end: 3 },
      { start: -1, end: 3 },
      { start: '1' },
    ];
    expect(readUncited({ uncited }, view)).toEqual([{ start: 3, end: 9 }]);
    for (const odd of [undefined, null, 7, [], { uncited: 'x' }]) expect(readUncited(odd, view)).toEqual([]);
  });
});

describe.each([
  ['en', en],
  ['zh-CN', zh],
])('legends in %s', (_, { support: { legends } }) => {
  it.each([...MARKS, 'note'] as const)('explain %s differently for a draft and a citation', (name) =>
    expect(legends.draft[name]).not.toBe(legends.citation[name]),
  );
});

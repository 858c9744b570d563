import { describe, expect, it } from '@jest/globals';
import { readNote, writeNote } from '../../../lib/api-contract/note-sources.ts';
import {
  asNth,
  asSeparateSources,
  asWeakest,
  citingSentences,
  differingSentences,
  numberSentences,
} from '../../../web/chat/cited-sentence.ts';
import type { Citation } from '../../../web/chat/message-view.ts';

const PLACE = { path: 'a.md', startLine: 1, endLine: 1, quote: 'Owls hunt.' };

function citation(index: number, fields: Partial<Citation> = {}): Citation {
  return { index, ...PLACE, support: 'contradicted', reason: 'The quotes say otherwise: day', ...fields };
}

describe('citingSentences', () => {
  it.each([
    ['Apes climb. Owls **hunt** at night [1][2]. Bears swim [3].', 2, ['Owls hunt at night.']],
    ['# Owls\n\n- They hunt with `ears` [1]', 1, ['They hunt with ears']],
    ['1. See [the report](https://a.example), they hunt [1].', 1, ['See the report, they hunt.']],
    ['See [owls](https://a.example/owl_(bird)) | they hunt [1].', 1, ['See owls · they hunt.']],
    ['| Owl | hunts at night [1] |', 1, ['Owl · hunts at night']],
    ['The snake_case_name is _kept_ [1].', 1, ['The snake_case_name is kept.']],
    ['猴子会爬树而且很快[1]。', 1, ['猴子会爬树而且很快。']],
    [
      'Owls hunt by night [1]. They rest by day [2]. They eat mice [1].',
      1,
      ['Owls hunt by night.', 'They eat mice.'],
    ],
    ['`a[1]` cites nothing', 1, []],
    ['Owls hunt [1].', 2, []],
  ])('returns for %j, %j: %j', (text, index, sentences) => {
    expect(citingSentences(text, citation(index)).map(({ text }) => text)).toEqual(sentences);
  });

  it('returns each with its own quote and support', () => {
    const claims = [
      { ...PLACE, text: 'They hunt with.', support: 'full' as const },
      { ...PLACE, text: 'They sing.', quote: '', isMissing: true, support: 'none' as const },
    ];
    const sentences = citingSentences(
      'They hunt with `ears` [1]. They sing [1]. They swim [1].',
      citation(1, { claims }),
    );
    expect(
      sentences.map(({ text, citation: { support, reason, quote, nth } }) => [
        text,
        support,
        reason,
        quote,
        nth,
      ]),
    ).toEqual([
      ['They hunt with ears.', 'full', undefined, 'Owls hunt.', 1],
      ['They sing.', 'none', undefined, '', 2],
      ['They swim.', 'contradicted', 'The quotes say otherwise: day', 'Owls hunt.', 3],
    ]);
  });
});

describe('asWeakest', () => {
  it('has the quote, the state, and the checks of one sentence', () => {
    const ok = [{ kind: 'number' as const, ok: true }];
    const claims = [
      { ...PLACE, text: 'Five owls hunt.', quote: 'Five owls.', support: 'unjudged' as const, checks: ok },
      {
        ...{ text: 'All sing.', path: 'a.md', startLine: 7, endLine: 8, quote: 'None sang.', checks: [] },
        ...{ support: 'contradicted' as const, reason: 'The quotes say otherwise: all' },
      },
    ];
    const merged = citation(1, { claims, quote: 'Five owls.', checks: ok });
    expect(asWeakest(merged)).toMatchObject({
      ...{ index: 1, nth: 2, startLine: 7, endLine: 8, quote: 'None sang.', checks: [] },
      ...{ support: 'contradicted', reason: 'The quotes say otherwise: all' },
    });
    expect(asWeakest(citation(2))).toEqual(citation(2));
  });

  it('stays on the open sentence', () => {
    const claims = [
      { ...PLACE, text: 'Five owls hunt.', quote: 'Five owls.', support: 'unjudged' as const },
      { ...PLACE, text: 'All sing.', startLine: 7, quote: 'None sang.', support: 'contradicted' as const },
    ];
    const cited = citation(1, { claims });
    expect([1, 2].map((nth) => asNth(cited, nth))).toMatchObject([
      { index: 1, nth: 1, startLine: 1, quote: 'Five owls.', support: 'unjudged' },
      { index: 1, nth: 2, startLine: 7, quote: 'None sang.', support: 'contradicted' },
    ]);
    expect(asNth(citation(2), 1)).toEqual({ ...citation(2), nth: 1 });
  });
});

describe('differingSentences', () => {
  const claims = (...supports: ('unjudged' | 'partial')[]) =>
    supports.map((support, at) => ({ ...PLACE, text: `**Owls** hunt ${at}.`, support }));

  it('lists each sentence with its own state, which opens it', () => {
    const cited = citation(1, { claims: claims('unjudged', 'partial'), support: 'partial' });
    expect(differingSentences(cited)).toMatchObject([
      { text: 'Owls hunt 0.', citation: { index: 1, nth: 1, support: 'unjudged' } },
      { text: 'Owls hunt 1.', citation: { index: 1, nth: 2, support: 'partial' } },
    ]);
  });

  it('is empty if one state applies to all', () => {
    expect(differingSentences(citation(1))).toEqual([]);
    expect(differingSentences(citation(1, { claims: claims('partial', 'partial') }))).toEqual([]);
  });
});

describe('asSeparateSources', () => {
  it('keeps the state of each sentence in a note', () => {
    const claims = [
      { ...PLACE, text: 'Owls hunt.', support: 'unjudged' as const },
      { ...PLACE, text: 'They sing.', quote: 'None sing.', support: 'contradicted' as const },
      { ...PLACE, text: 'They do hunt.', support: 'unjudged' as const },
    ];
    const text = 'Owls hunt [1]. They sing [1][2]. They do hunt [1].';
    const separate = asSeparateSources(text, [citation(1, { claims }), citation(2)]);
    expect(separate.text).toBe('Owls hunt [1]. They sing [2][3]. They do hunt [1].');
    const read = readNote(writeNote(separate));
    expect(read.text).toBe(separate.text);
    expect(read.citations.map(({ index, quote, support }) => [index, quote, support])).toEqual([
      [1, 'Owls hunt.', 'unjudged'],
      [2, 'None sing.', 'contradicted'],
      [3, 'Owls hunt.', 'contradicted'],
    ]);
  });

  it('uses one number in a note for the quote of two passages, and lists those of a file together', () => {
    const other = { path: 'bats.md', quote: 'Bats hunt.' };
    const given = [citation(1), citation(2, other), citation(3), citation(4, { quote: 'They see.' })];
    const { text, citations } = asSeparateSources('Owls [1]. Bats [2]. Owls [3][4].', given);
    expect(text).toBe('Owls [1]. Bats [2]. Owls [1][3].');
    const note = writeNote({ text, citations });
    expect(note.match(/^- \[\d\]/gm)).toEqual(['- [1]', '- [3]', '- [2]']);
    expect(readNote(note).citations.map(({ index, quote }) => [index, quote])).toEqual([
      [1, 'Owls hunt.'],
      [2, 'Bats hunt.'],
      [3, 'They see.'],
    ]);
  });

  it('keeps the findings for each sentence in a note, and whether code or a model decided', () => {
    const known = [
      {
        ...{ support: 'partial' as const, by: 'code' as const, checks: [] },
        findings: [
          { rule: 'number_missing' as const, own: '<81>', found: '12' },
          { rule: 'name_missing' as const, own: 'U.S.', where: { path: 'b.pdf', page: 3 } },
        ],
      },
      { support: 'none' as const, by: 'nli' as const, findings: [], checks: [] },
      { support: 'full' as const, by: 'model' as const, reason: 'It says so. -->', findings: [], checks: [] },
      { support: 'unjudged' as const, checks: [{ kind: 'name' as const, ok: true }] },
      {
        ...{ support: 'contradicted' as const, by: 'code' as const, checks: [] },
        findings: [{ rule: 'negation' as const, own: 'no' }],
      },
    ];
    const claims = known.map((each, at) => ({ ...PLACE, ...each, text: `All owls hunt ${at}.` }));
    const text = claims.map((claim) => claim.text.replace(/\.$/, ' [1].')).join(' ');
    const note = writeNote(asSeparateSources(text, [citation(1, { claims, reason: undefined })]));
    const { citations } = readNote(note);
    expect(
      citations.map(({ index, path, startLine, endLine, quote, ...read }) => [index, quote, read]),
    ).toEqual(known.map((each, at) => [at + 1, 'Owls hunt.', each]));
    expect(note).toContain('\n  Not in the source: <81>, U.S..\n  The source has “12” where');
    expect(note).toContain('(contradicted)\n');
    expect(note.match(/-->/g)).toHaveLength(6); // five results of code, and the judge's result
  });

  it("keeps a person's lines below a source in the note's text", () => {
    const note = writeNote({ text: 'Owls [1].', citations: [citation(1, { by: 'code', findings: [] })] });
    for (const line of ['  Not in the source: 999.', '  <!-- not data -->', '  <!-- null -->']) {
      const changed = note.replace('\n  > ', `\n${line}\n  > `);
      expect(readNote(changed)).toEqual({ text: changed, citations: [] });
    }
  });

  it('combines in a note the facts of sentences with one number', () => {
    const check = (kind: 'number' | 'unit' | 'name') => ({ kind, ok: true });
    const claims = [
      { ...PLACE, text: 'Owls hunt 9.', support: 'unjudged' as const, checks: [check('number')] },
      {
        ...{ ...PLACE, text: 'Owls weigh 9 kg.', support: 'unjudged' as const },
        checks: [check('unit'), check('number')],
      },
    ];
    const given = citation(1, { claims, reason: undefined, support: 'unjudged' });
    const note = writeNote(asSeparateSources('Owls hunt 9 [1]. Owls weigh 9 kg [1].', [given]));
    expect(note).toContain('Owls hunt 9 [1]. Owls weigh 9 kg [1].');
    expect(readNote(note).citations[0]?.checks).toEqual([check('number'), check('unit')]);
  });
});

describe('numberSentences', () => {
  const claims = [
    { ...PLACE, text: 'Owls hunt.', support: 'full' as const },
    { ...PLACE, text: 'They sing.', startLine: 7, endLine: 7, support: 'partial' as const },
  ];
  const citations = [citation(1, { claims }), citation(2)];
  const shown = (text: string, before?: string) => {
    const numbered = numberSentences(text, citations, before);
    const known = [...numbered.byNumber].map(([number, { index, nth, support }]) => [
      number,
      index,
      nth,
      support,
    ]);
    return { text: numbered.text, known };
  };

  it('gives each further sentence that cites a source a separate number', () => {
    expect(shown('Owls hunt [1][2]. They sing [1]. Code is `a[1]`, unknown is [9].')).toEqual({
      text: 'Owls hunt [1][2]. They sing [3]. Code is `a[1]`, unknown is [9].',
      known: [
        [1, 1, 1, 'full'],
        [2, 2, 1, 'contradicted'],
        [3, 1, 2, 'partial'],
      ],
    });
  });

  it('continues the numbers of the previous texts', () => {
    expect(shown('They sing [1].', 'Owls hunt [1].').text).toBe('They sing [3].');
    expect(shown('They sing [1].', 'Bears swim [2].').text).toBe('They sing [1].');
  });

  it('adjusts positions in the text to the added numbers', () => {
    const many = Array.from({ length: 9 }, (_, at) => citation(at + 1));
    const text = 'Owls hunt [1]. They sing [1]. They weigh 9 kg. They rest [1].';
    const numbered = numberSentences(text, many);
    expect(numbered.text).toBe('Owls hunt [1]. They sing [10]. They weigh 9 kg. They rest [11].');
    const start = text.indexOf('They weigh');
    expect(numbered.text.slice(numbered.placeOf(start), numbered.placeOf(start + 16))).toBe(
      'They weigh 9 kg.',
    );
  });

  it('keeps text without citations unchanged', () => {
    const text = 'Owls [1] hunt [1, 2]. In [3-5].';
    expect(numberSentences(text, [])).toMatchObject({ text, byNumber: new Map() });
  });
});

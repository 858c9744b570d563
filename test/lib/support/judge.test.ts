import { describe, expect, it } from '@jest/globals';
import { JUDGE_RULES, judgedSchema, readJudgments, showClaims } from '../../../lib/support/judge.ts';
import { readModelJson } from '../../../lib/validation/read-model-json.ts';

const claims = [
  { sentence: 'Owls sleep.', quotes: ['Owls sleep by day.', 'They rest.'] },
  { sentence: 'Owls swim.', quotes: [] },
];

describe('showClaims', () => {
  it('puts each sentence and its quotes in elements that end in the code', () => {
    expect(showClaims(claims, 'c0')).toBe(`<sentence-c0 number="1">
Owls sleep.
<quote-c0>
Owls sleep by day.
</quote-c0>
<quote-c0>
They rest.
</quote-c0>
</sentence-c0>
<sentence-c0 number="2">
Owls swim.
</sentence-c0>`);
  });
});

describe('showClaims for a sentence that begins with a pronoun', () => {
  const around = ['Zeta sells tea. […]', ''];
  const claim = {
    before: 'Zeta is a shop.',
    sentence: 'It was founded in 1990.',
    quotes: ['It was founded in 1990.', 'It sold tea.'],
  };

  it('shows the preceding text, and the words around its quotes', () => {
    expect(showClaims([{ ...claim, around }], 'c0')).toBe(`<before-c0>
Zeta is a shop.
</before-c0>
<sentence-c0 number="1">
It was founded in 1990.
<quote-c0>
It was founded in 1990.
</quote-c0>
<around-c0>
Zeta sells tea. […]
</around-c0>
<quote-c0>
It sold tea.
</quote-c0>
</sentence-c0>`);
  });

  it('shows the last 500 characters of the preceding text', () => {
    const shown = showClaims([{ ...claim, before: `a${'b'.repeat(500)}` }], 'c0');
    expect(shown).toContain(`<before-c0>\n${'b'.repeat(500)}\n`);
  });
});

describe('JUDGE_RULES', () => {
  it('contain no example that could be read as a verdict', () => {
    const [example = ''] = /\{.*\}/.exec(JUDGE_RULES) ?? [];
    expect(example).toContain('verdicts');
    expect(readModelJson(judgedSchema, example).success).toBe(false);
    const filled = example.replace('N', '1').replace(/"yes[^"]*"/, '"yes"');
    expect(readModelJson(judgedSchema, filled).success).toBe(false);
  });
});

describe('readJudgments', () => {
  it('returns the judgment of each sentence, in the order of the sentences', () => {
    const judged = judgedSchema.parse({
      verdicts: [
        { number: 2, says: 'contradicted', why: 'They do not.' },
        { number: 1, says: 'yes' },
        { number: 4, says: 'no' },
        { number: 0, says: 'no' },
      ],
    });
    expect(readJudgments(judged, 3)).toEqual([
      { support: 'full', reason: '' },
      { support: 'contradicted', reason: 'They do not.' },
      undefined,
    ]);
  });

  it('reads each judgment separately, and uses the harshest of several judgments for one sentence', () => {
    const judged = judgedSchema.parse({
      verdicts: [
        { number: '1', says: ' Yes', why: 'x'.repeat(900) },
        { number: 2, says: 'no', why: null },
        { number: 2, says: 'yes', why: 'Kinder.' },
        { number: 3, says: 'perhaps' },
        { number: 3, says: 'yes', why: '…' },
        'no',
      ],
    });
    expect(readJudgments(judged, 3)).toEqual([
      { support: 'full', reason: 'x'.repeat(200) },
      { support: 'none', reason: '' },
      undefined,
    ]);
  });
});

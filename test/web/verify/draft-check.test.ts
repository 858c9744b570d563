import { describe, expect, it } from '@jest/globals';
import { assess } from '../../../lib/support/assess.ts';
import { describeVerdict } from '../../../lib/verify/word-verdict.ts';
import type { Candidate, ClaimEvidence } from '../../../lib/verify/work/candidate.ts';
import { checkByCode } from '../../../lib/verify/work/check-by-code.ts';
import { coverageOf } from '../../../lib/verify/work/coverage.ts';
import { isDraftName, refusalOf } from '../../../web/verify/chosen-draft.ts';
import { blocksOf } from '../../../web/verify/draft-blocks.ts';
import {
  type CheckedSentence,
  citationOf,
  countOmitted,
  countShown,
  type DraftCheck,
  isShown,
  quotesIn,
  readSource,
  sourceOf,
  stateOf,
  supportedOf,
  titleOf,
} from '../../../web/verify/draft-check.ts';

const candidate = (claim: string, quote: string, path = 'owls.md'): Candidate => {
  const { support, findings } = assess(claim, { quotes: [quote] });
  const citation = {
    ...{ index: 1, path, startLine: 3, endLine: 3, quote, fileHash: 'x', verified: true, stale: false },
    workspaceId: 'w',
  };
  const found = { isSame: claim === quote, isAbout: true, sharesMore: false };
  const around = { before: '', after: '' };
  return { citation, around, coverage: coverageOf(claim, quote), ...found, support, findings };
};

/** Returns the sentence in the service's response, decided by code. */
function sentenceOf(
  claim: string,
  quotes: string[],
  named?: ClaimEvidence['named'],
  unlisted: string[] = [],
): CheckedSentence {
  const candidates = quotes.map((quote) => candidate(claim, quote));
  const { support, findings, citations } = checkByCode({
    ...{ claim, before: '', candidates, named, unlisted },
  });
  const place = { text: claim, start: 0, end: claim.length };
  return { ...describeVerdict({ n: 1, support, by: 'code', findings, citations }), ...place };
}

const rulesOf = ({ findings }: CheckedSentence) => findings.map(({ rule }) => rule);

describe('findings of code', () => {
  const QUOTE = 'Owls hunt at night in 12 forests.';

  it.each<[string, string[], string, string]>([
    ['Owls hunt at night in 12 forests.', [QUOTE], 'same_sentence', 'full'],
    ['Owls hunt at night in 13 forests.', [QUOTE], 'number_missing', 'none'],
    ['Owls of Spain hunt at night in 12 forests.', [QUOTE], 'name_missing', 'none'],
    ['The owl is not rare in Norway.', ['The owl is rare in Norway.'], 'negation', 'contradicted'],
    [
      'Owls hunt voles at night in forests of Norway.',
      ['Owls hunt at night in forests of Norway and Sweden.'],
      'not_judged',
      'unjudged',
    ],
    ['Penguins file their taxes in April.', [], 'no_quote', 'none'],
    ['Penguins file their taxes at night.', ['Cats sleep at night.'], 'few_words', 'none'],
  ])('name the rule: %s', (claim, quotes, rule, state) => {
    const sentence = sentenceOf(claim, quotes);
    expect([rulesOf(sentence)[0], stateOf(sentence)]).toEqual([rule, state]);
    expect(supportedOf(sentence)).toEqual({
      ...{ support: sentence.support, by: 'code', findings: sentence.findings },
    });
  });

  it('name the source that the sentence names', () => {
    const absent = sentenceOf(QUOTE, [QUOTE], { label: 'Smith 2020', path: undefined, candidates: [] });
    expect(rulesOf(absent)).toEqual(['same_sentence', 'source_absent']);
    const elsewhere = sentenceOf(QUOTE, [QUOTE], { label: '[3]', path: 'hawks: day.md', candidates: [] });
    const where = { path: 'owls.md', startLine: 3, endLine: 3 };
    expect(elsewhere.findings[0]).toEqual({
      rule: 'source_lacks',
      own: '[3]',
      found: 'hawks: day.md',
      where,
    });
    const unlisted = sentenceOf(QUOTE, [QUOTE], undefined, ['[9]', '[12]']);
    expect(unlisted.findings[1]).toEqual({ rule: 'source_unlisted', own: '[9], [12]' });
    const against = candidate(QUOTE, 'Owls never hunt at night in 12 forests.', 'hawks.md');
    expect(against.support).toBe('contradicted');
    const otherwise = sentenceOf(QUOTE, [QUOTE], { label: '[3]', path: 'hawks.md', candidates: [against] });
    expect(rulesOf(otherwise).slice(0, 2)).toEqual(['source_otherwise', 'negation']);
  });

  it('are next to the findings of a model', () => {
    const judged = { ...sentenceOf(QUOTE, [QUOTE]), reason: 'It says so.', by: 'model' as const };
    expect(supportedOf(judged)).toMatchObject({ support: 'full', by: 'model', reason: 'It says so.' });
  });
});

describe('sentences of a draft check', () => {
  const DRAFT = '# Owls\n\nOwls hunt. Owls\nsleep.\n\n- Hawks fly.\n- Hawks eat.\n';
  const place = (text: string, n: number, support?: CheckedSentence['support']): CheckedSentence => {
    const start = DRAFT.indexOf(text);
    const verdict = describeVerdict({ n, ...(support && { support }), findings: [], citations: [] });
    return { ...verdict, text, start, end: start + text.length };
  };
  const all = [
    place('# Owls', 1),
    place('Owls hunt.', 2, 'full'),
    place('Owls\nsleep.', 3, 'contradicted'),
    place('Hawks fly.', 4, 'none'),
    place('Hawks eat.', 5, 'partial'),
  ];
  const checkOf = (sentences: CheckedSentence[]): Pick<DraftCheck, 'text' | 'sentences' | 'counts'> => {
    const checked = sentences.filter(({ verdict }) => verdict !== 'no_claim').length;
    const counts = { sentences: 5, claims: 4, checked, supported: 0, partial: 0, unjudged: 0 };
    const others = { contradicted: 0, not_found: 0, no_claim: 1, possible_errors: 3, listed: 0 };
    return { text: DRAFT, sentences, counts: { ...counts, ...others } };
  };
  const shown = (sentences: CheckedSentence[]) =>
    blocksOf(checkOf(sentences)).map((block) =>
      block.map(({ sentence, start, end }) => sentence?.n ?? DRAFT.slice(start, end)),
    );

  it('are in paragraphs and items', () => {
    expect(shown(all)).toEqual([[1], [2, 3], [4], [5]]);
  });

  it('are shown in their places before they have a verdict', () => {
    const [title, , , hawks] = all as [CheckedSentence, CheckedSentence, CheckedSentence, CheckedSentence];
    expect(shown([title])).toEqual([[1], ['Owls hunt. Owls\nsleep.'], ['Hawks fly.\n- Hawks eat.']]);
    expect(shown([title, hawks])).toEqual([[1], ['Owls hunt. Owls\nsleep.'], [4], ['Hawks eat.']]);
  });

  it('are counted by their states', () => {
    expect(countShown(all)).toEqual({
      'no-claim': 1,
      full: 1,
      none: 2,
      contradicted: 1,
      unjudged: 0,
      errors: 3,
    });
  });

  it('are found by one filter if they may have an error', () => {
    const QUOTE = 'The mean egg of the owl weighed 4.9 g in Norway in 2019.';
    const absent = { label: 'Miller 2018', path: undefined, candidates: [] };
    const errors = [
      ...[
        '5.9 g in Norway in 2019',
        '4.9 kg in Norway in 2019',
        '4.9 g in Sweden in 2019',
        '4.9 g in Norway in 2018',
      ].map((wrong) => sentenceOf(QUOTE.replace('4.9 g in Norway in 2019', wrong), [QUOTE])),
      sentenceOf('The owl is not rare in Norway.', ['The owl is rare in Norway.']),
      sentenceOf('Penguins file their taxes in April.', []),
      sentenceOf('The mean egg of the owl in Norway was small.', [QUOTE], absent),
      sentenceOf(QUOTE, [QUOTE], undefined, ['[9]']),
    ];
    const others = [
      sentenceOf(QUOTE, [QUOTE]),
      sentenceOf('The mean egg of the owl in Norway was small.', [QUOTE]),
      place('# Owls', 1),
    ];
    expect(errors.map((each) => [each.text, isShown(each, 'errors')])).toEqual(
      errors.map(({ text }) => [text, true]),
    );
    expect(others.map((each) => isShown(each, 'errors'))).toEqual([false, false, false]);
  });

  it('have a source that a URL names', () => {
    const source = sourceOf({ runId: '019a-b', n: 12, index: 3 });
    expect(readSource(source)).toEqual({ runId: '019a-b', n: 12, index: 3 });
    for (const wrong of [undefined, '', 'a.1', 'a.b.1', 'a/b.1.2']) expect(readSource(wrong)).toBeUndefined();
  });

  it('show a quote at its location', () => {
    const sentence = sentenceOf('Owls hunt at night.', ['Owls hunt at night.']);
    const [quoted] = sentence.citations;
    if (quoted === undefined) throw new Error('no quote');
    expect(citationOf(sentence, { ...quoted, page: 7, stale: true })).toMatchObject({
      ...{ index: 1, path: 'owls.md', place: { kind: 'page', at: '7' }, isStale: true, support: 'full' },
    });
  });
});

describe('title of a draft check', () => {
  it('is the name of its file, or the start of its text', () => {
    expect(titleOf({ name: 'review.docx', text: 'Owls hunt.' })).toBe('review.docx');
    expect(titleOf({ name: 'draft.txt', text: '# Owls\n\nOwls hunt.\n' })).toBe('# Owls Owls hunt.');
  });
});

describe('chosen file', () => {
  it.each([
    ['a.docx', 10, undefined],
    ['A.TEX', 10, undefined],
    ['a.pdf', 10, 'kind'],
    ['a.md', 0, 'empty'],
    ['a.html', 7_000_001, 'tooLarge'],
    ['a.docx', 10 * 1024 * 1024 + 1, 'tooLargeAnywhere'],
  ])('%s of %d bytes: %s', (name, size, refused) => {
    expect(refusalOf({ name, size })).toBe(refused);
    expect(isDraftName(name)).toBe(refused !== 'kind');
  });
});

it('draft check reports the claims that it skipped, and the claims that its judge skipped, when it has ended', () => {
  const unjudged = sentenceOf('Owls hunt voles at night in Norway.', [
    'Owls hunt at night in Norway and Sweden.',
  ]);
  expect(stateOf(unjudged)).toBe('unjudged');
  const counts = { claims: 9, checked: 4, unjudged: 1 };
  const check = { status: 'stopped', judge: true, judgeError: null, ended: null, counts };
  expect(countOmitted(check as DraftCheck)).toEqual({ unchecked: 5, unjudged: 1 });
  const judgeError = { code: 'model_credential_refused', message: 'Refused.', sentences: 1 };
  for (const other of [{ judgeError }, { ended: 'ended at its budget of 1 model calls' }, { judge: false }])
    expect(countOmitted({ ...check, ...other } as DraftCheck)).toMatchObject({ unjudged: 0 });
  expect(countOmitted({ ...check, status: 'running' } as DraftCheck)).toEqual({ unchecked: 0, unjudged: 0 });
});

describe('quotes of a draft check', () => {
  it('are each requested once, with their workspaces', () => {
    const other = sentenceOf('Cats sleep.', ['Cats sleep.']);
    const elsewhere = { ...other, citations: other.citations.map((each) => ({ ...each, workspaceId: 'v' })) };
    const owls = sentenceOf('Owls hunt.', ['Owls hunt.']);
    const quoted = quotesIn({ sentences: [owls, elsewhere, owls] });
    expect(quoted).toMatchObject([
      { workspaceId: 'w', path: 'owls.md', quote: 'Owls hunt.', fileHash: 'x' },
      { workspaceId: 'v', quote: 'Cats sleep.' },
    ]);
  });
});

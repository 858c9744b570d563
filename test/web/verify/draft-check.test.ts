import { describe, expect, it } from '@jest/globals';
import { checkClaim } from '../../../lib/claims/check-claim.ts';
import type { Candidate, ClaimEvidence } from '../../../lib/verify/work/candidate.ts';
import { checkByCode, joinReasons } from '../../../lib/verify/work/check-by-code.ts';
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
import { readReason } from '../../../web/verify/read-reason.ts';

const candidate = (claim: string, quote: string, path = 'owls.md'): Candidate => {
  const { support, reason } = checkClaim(claim, [quote]);
  const citation = {
    ...{ index: 1, path, startLine: 3, endLine: 3, quote, fileHash: 'x', verified: true, stale: false },
    workspaceId: 'w',
  };
  const found = { isSame: claim === quote, isAbout: true, sharesMore: false };
  const around = { before: '', after: '' };
  return { citation, around, coverage: coverageOf(claim, quote), ...found, support, reason };
};

/** The sentence as the service answers it, decided by code. */
function sentenceOf(
  claim: string,
  quotes: string[],
  named?: ClaimEvidence['named'],
  unlisted: string[] = [],
): CheckedSentence {
  const candidates = quotes.map((quote) => candidate(claim, quote));
  const {
    verdict,
    reason,
    notes = [],
    citations,
  } = checkByCode({
    ...{ claim, before: '', candidates, named, unlisted },
  });
  const place = { text: claim, start: 0, end: claim.length };
  return { n: 1, verdict, reason: joinReasons([reason, ...notes]), judgedBy: 'code', citations, ...place };
}

const namesOf = ({ reason }: CheckedSentence) => readReason(reason).known.map(({ name }) => name);

describe('the reasons of code', () => {
  const QUOTE = 'Owls hunt at night in 12 forests.';

  it.each<[string, string[], string[], string]>([
    ['Owls hunt at night in 12 forests.', [QUOTE], ['same'], 'full'],
    ['Owls hunt at night in 13 forests.', [QUOTE], ['differs'], 'partial'],
    ['Owls of Spain hunt at night in 12 forests.', [QUOTE], ['lacking'], 'partial'],
    ['The owl is not rare in Norway.', ['The owl is rare in Norway.'], ['otherwise'], 'none'],
    [
      'Owls hunt voles at night in forests of Norway.',
      ['Owls hunt at night in forests of Norway and Sweden.'],
      ['notJudged'],
      'unjudged',
    ],
    ['Penguins file their taxes in April.', [], ['nothing'], 'none'],
    ['Penguins file their taxes at night.', ['Cats sleep at night.'], ['weak'], 'none'],
  ])('are known: %s', (claim, quotes, names, state) => {
    const sentence = sentenceOf(claim, quotes);
    expect([namesOf(sentence), stateOf(sentence)]).toEqual([names, state]);
    expect(readReason(sentence.reason)).toMatchObject({ rest: '' });
    expect(supportedOf(sentence)).toMatchObject({ isByCode: true });
  });

  it('are known of a source that the sentence names', () => {
    const absent = sentenceOf(QUOTE, [QUOTE], { label: 'Smith 2020', path: undefined, candidates: [] });
    expect(namesOf(absent)).toEqual(['same', 'absent']);
    const elsewhere = sentenceOf(QUOTE, [QUOTE], { label: '[3]', path: 'hawks: day.md', candidates: [] });
    expect(readReason(elsewhere.reason)).toMatchObject({
      known: [{ name: 'elsewhere', path: 'owls.md' }],
      rest: '',
    });
    const unlisted = sentenceOf(QUOTE, [QUOTE], undefined, ['[9]', '[12]']);
    expect(readReason(unlisted.reason)).toMatchObject({
      known: [{ name: 'same' }, { name: 'unlisted', label: '[9], [12]' }],
      rest: '',
    });
    const against = candidate(QUOTE, 'Owls never hunt at night in 12 forests.', 'hawks.md');
    expect(against.support).toBe('contradicted');
    const otherwise = sentenceOf(QUOTE, [QUOTE], { label: '[3]', path: 'hawks.md', candidates: [against] });
    expect(readReason(otherwise.reason)).toMatchObject({
      known: [{ name: 'namedOtherwise', label: '[3]', path: 'hawks.md' }, { name: 'otherwise' }],
      rest: '',
    });
  });

  it('leave the words of a model', () => {
    expect(readReason('It is about bats.')).toEqual({ known: [], rest: 'It is about bats.' });
    expect(readReason('The quotes say it.')).toEqual({ known: [{ name: 'saysIt' }], rest: '' });
    expect(readReason('')).toEqual({ known: [], rest: '' });
    const judged = { ...sentenceOf(QUOTE, [QUOTE]), reason: 'It says so.', judgedBy: 'model' as const };
    expect(supportedOf(judged)).toEqual({ support: 'full', isJudged: true, reason: 'It says so.' });
  });

  it('are no words of a model where the service says that code decided', () => {
    const unknown = { ...sentenceOf(QUOTE, [QUOTE]), reason: 'A reason of a later release.' };
    expect(supportedOf(unknown)).toEqual({ support: 'full', isByCode: true });
  });

  it('name what a file has instead', () => {
    const [known] = readReason(
      'The file has 1,4 where the sentence has 2.5 m. What it refers to was not found near the quote.',
    ).known;
    expect(known).toEqual({ name: 'differs', said: '1,4', what: '2.5 m' });
  });

  it('end where the next begins', () => {
    const version = 'This file shares sentences with the draft, and may be a version of it: a.md.';
    for (const [reason, name] of [
      ['Not in the quotes: 5.9', 'lacking'],
      ['The quotes may say otherwise: every', 'maybeOtherwise'],
    ])
      expect(readReason(`${reason}. ${version}`)).toEqual({
        known: [
          { name, what: reason?.replace(/^.*: /, '') },
          { name: 'version', path: 'a.md' },
        ],
        rest: '',
      });
  });
});

describe('the sentences of a check', () => {
  const DRAFT = '# Owls\n\nOwls hunt. Owls\nsleep.\n\n- Hawks fly.\n- Hawks eat.\n';
  const place = (text: string, n: number, verdict: CheckedSentence['verdict']): CheckedSentence => {
    const start = DRAFT.indexOf(text);
    return { n, verdict, reason: '', citations: [], text, start, end: start + text.length };
  };
  const all = [
    place('# Owls', 1, 'no_claim'),
    place('Owls hunt.', 2, 'supported'),
    place('Owls\nsleep.', 3, 'contradicted'),
    place('Hawks fly.', 4, 'not_found'),
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

  it('are shown before they have a verdict, at their places', () => {
    const [title, , , hawks] = all as [CheckedSentence, CheckedSentence, CheckedSentence, CheckedSentence];
    expect(shown([title])).toEqual([[1], ['Owls hunt. Owls\nsleep.'], ['Hawks fly.\n- Hawks eat.']]);
    expect(shown([title, hawks])).toEqual([[1], ['Owls hunt. Owls\nsleep.'], [4], ['Hawks eat.']]);
  });

  it('are counted by their states', () => {
    expect(countShown(all)).toEqual({ 'no-claim': 1, full: 1, none: 2, partial: 1, unjudged: 0, errors: 3 });
  });

  it('that may have an error are found by one filter', () => {
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
      place('# Owls', 1, 'no_claim'),
    ];
    expect(errors.map((each) => [each.text, isShown(each, 'errors')])).toEqual(
      errors.map(({ text }) => [text, true]),
    );
    expect(others.map((each) => isShown(each, 'errors'))).toEqual([false, false, false]);
  });

  it('have a source that an address names', () => {
    const source = sourceOf({ runId: '019a-b', n: 12, index: 3 });
    expect(readSource(source)).toEqual({ runId: '019a-b', n: 12, index: 3 });
    for (const wrong of [undefined, '', 'a.1', 'a.b.1', 'a/b.1.2']) expect(readSource(wrong)).toBeUndefined();
  });

  it('show a quote at its place', () => {
    const sentence = sentenceOf('Owls hunt at night.', ['Owls hunt at night.']);
    const [quoted] = sentence.citations;
    if (quoted === undefined) throw new Error('no quote');
    expect(citationOf(sentence, { ...quoted, page: 7, stale: true })).toMatchObject({
      ...{ index: 1, path: 'owls.md', place: { kind: 'page', at: '7' }, isStale: true, support: 'full' },
    });
  });
});

describe('the title of a check', () => {
  it('is the name of its file, or the beginning of its text', () => {
    expect(titleOf({ name: 'review.docx', text: 'Owls hunt.' })).toBe('review.docx');
    expect(titleOf({ name: 'draft.txt', text: '# Owls\n\nOwls hunt.\n' })).toBe('# Owls Owls hunt.');
  });
});

describe('a chosen file', () => {
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

it('an ended check tells of the claims that it left out, and that its judge left out', () => {
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

describe('joinReasons', () => {
  it('ends no part twice, also after a quotation', () => {
    const joined = joinReasons(['Not in the quotes: “We go back.”', 'It was not judged']);
    expect(joined).toBe('Not in the quotes: “We go back.” It was not judged.');
  });
});

describe('the quotes of a check', () => {
  it('are each asked about once, of the workspace that is open', () => {
    const other = sentenceOf('Cats sleep.', ['Cats sleep.']);
    const elsewhere = { ...other, citations: other.citations.map((each) => ({ ...each, workspaceId: 'v' })) };
    const owls = sentenceOf('Owls hunt.', ['Owls hunt.']);
    const [quoted, ...more] = quotesIn({ sentences: [owls, elsewhere, owls] }, 'w');
    expect(quoted).toMatchObject({ path: 'owls.md', quote: 'Owls hunt.', fileHash: 'x' });
    expect(more).toEqual([]);
  });
});

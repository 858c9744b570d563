import { describe, expect, it } from '@jest/globals';
import type { Support } from '../../../lib/api-contract/citation.ts';
import { checkClaim } from '../../../lib/claims/check-claim.ts';
import { readUncited } from '../../../web/chat/message-view.ts';
import { aboutOf, whyOf } from '../../../web/chat/support-reason.ts';
import en from '../../../web/languages/en/chat.json' with { type: 'json' };
import zh from '../../../web/languages/zh-CN/chat.json' with { type: 'json' };

describe('who decided on the support', () => {
  it('is code where code found something', () => {
    const lacking = checkClaim('The bridge has 34 piers.', ['The bridge has 12 piers.']);
    expect(lacking.support).toBe('partial');
    expect(whyOf(lacking)).toEqual({ isJudged: false, text: '' });
    const otherwise = checkClaim('The bridge is not safe.', ['The bridge is safe.']);
    expect(otherwise.support).toBe('contradicted');
    expect(whyOf(otherwise)).toEqual({
      isJudged: false,
      otherwise: 'otherwiseAbout',
      what: expect.not.stringContaining('otherwise'),
      text: '',
    });
    expect(whyOf({ support: 'none', isMissing: true, reason: 'No quote was found.' }).isJudged).toBe(false);
    const doubted = { support: 'partial' as const, reason: 'The quotes may say otherwise: 2022' };
    expect(whyOf(doubted)).toEqual({ isJudged: false, otherwise: 'maybeOtherwise', what: '2022', text: '' });
  });

  it.each(['partial', 'none', 'contradicted'] as const)(
    'is a model only where the service reports it: %s',
    (support) => {
      const citation = {
        support,
        reason: 'It is about bats.',
        checks: [{ kind: 'number' as const, ok: true }],
      };
      expect(whyOf({ ...citation, isJudged: true })).toMatchObject({
        isJudged: true,
        text: 'It is about bats.',
      });
      expect(whyOf(citation).isJudged).toBe(false);
    },
  );

  it('is code where a draft was compared by code alone, which says what it found', () => {
    const byCode = (support: Support) => aboutOf({ support, isByCode: true });
    expect((['full', 'none', 'partial', 'unjudged'] as const).map(byCode)).toEqual([
      ...['byCode.full', 'byCode.none', 'byCode.partial', 'byCode.unjudged'],
    ]);
    expect(whyOf({ support: 'full', isByCode: true })).toEqual({ isJudged: false, text: '' });
  });

  it('says more of a sentence without any quote', () => {
    expect([aboutOf({ support: 'none', isMissing: true }), aboutOf({ support: 'none' })]).toEqual([
      'missing',
      'none',
    ]);
  });
});

describe('sentences without a source', () => {
  it('are read from the metadata, without those that are malformed', () => {
    const uncited = [
      { start: 3, end: 9, text: 'x' },
      null,
      { start: 9, end: 3 },
      { start: -1, end: 3 },
      { start: '1' },
    ];
    expect(readUncited({ uncited })).toEqual([{ start: 3, end: 9 }]);
    for (const odd of [undefined, null, 7, [], { uncited: 'x' }]) expect(readUncited(odd)).toEqual([]);
  });
});

describe.each([
  ['en', en],
  ['zh-CN', zh],
])('the legends in %s', (_, { support: { legends } }) => {
  it.each(['full', 'none', 'partial', 'unjudged', 'note'] as const)(
    'give %s another meaning for a draft than for a citation',
    (name) => expect(legends.draft[name]).not.toBe(legends.citation[name]),
  );
});

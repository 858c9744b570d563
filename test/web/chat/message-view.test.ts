import { describe, expect, it } from '@jest/globals';
import { searchNotices } from '../../../lib/retrieval/search-notices.ts';
import {
  announcementOf,
  canContinue,
  countSentences,
  cutOf,
  keywordReason,
  viewOfMessage,
} from '../../../web/chat/message-view.ts';

const question = { role: 'user', parts: [{ type: 'text', text: 'When?' }] };
const answer = (text: string, ...notices: { code: string; text: string }[]) => ({
  role: 'assistant',
  parts: [{ type: 'text', text }, ...notices.map((data) => ({ type: 'data-notice', data }))],
});
const cut = { code: 'answer-cut', text: 'The process stopped.' };
const stopped = { code: 'answer-cut', text: 'The answer was stopped.' };
const limited = { code: 'answer-cut', text: 'At the limit.', ending: 'length' } as const;
const repeated = { code: 'answer-repeats', text: 'Again.', ending: 'repeats' } as const;
const empty = { code: 'answer-empty', text: 'Nothing.', ending: 'empty' } as const;
const judged = {
  role: 'assistant',
  parts: [{ type: 'text', text: 'At.' }, { type: 'data-citation-support' }],
};
const about = { code: 'index-building', text: 'Not all is indexed.' };

describe('screen reader text of an answer', () => {
  it.each([
    ['empty before the first question', [], undefined],
    ['empty for a question without an answer', [question], undefined],
    ['a note that it is complete', [question, answer('At night.', about)], 'chat.answered'],
    ['a note that a person stopped it', [question, answer('At', stopped)], 'chat.notices.stopped'],
    ['a note that it is incomplete', [question, answer('At', cut)], 'chat.notices.answer-cut'],
    ['a note that the model ended it', [question, answer('At', limited)], 'chat.notices.length'],
    ['a note that the model repeated itself', [question, answer('At', repeated)], 'chat.notices.repeats'],
    ['a note that it is empty', [question, answer('', empty)], 'chat.notices.empty'],
    ['a note that its sources were judged', [question, judged], 'chat.answeredJudged'],
    ['a note that there is no answer', [question, answer('', cut)], 'chat.notices.no-answer'],
  ])('is %s', (_what, messages, expected) => {
    expect(announcementOf({ messages, isBusy: false, error: undefined })).toBe(expected);
  });

  it('is empty except for the error, which is an alert', () => {
    const messages = [question, answer('At')];
    expect(announcementOf({ messages, isBusy: false, error: new Error('no') })).toBeUndefined();
    expect(announcementOf({ messages, isBusy: true, error: undefined })).toBe('chat.answering');
  });
});

describe('answer that ended early', () => {
  it.each([
    ['a person stopped it', 'At', stopped, true],
    ['it broke off', 'At', cut, true],
    ['the model reached its limit', 'At', limited, true],
    ['there is no text', '', cut, false],
    ['the model repeated itself', 'At', repeated, false],
    ['it is complete', 'At.', about, false],
  ])('can be continued if there is something to continue: %s', (_why, text, notice, expected) => {
    expect(canContinue(viewOfMessage(answer(text, notice).parts as never))).toBe(expected);
  });
});

describe('truncated answer', () => {
  it('has the stored code of its error, so that the reader can see what to do', () => {
    const failed = { type: 'data-error', data: { code: 'model_credential_refused' } };
    const notices = (...more: object[]) =>
      viewOfMessage([...answer('At', cut, about).parts, ...more] as never).notices;
    expect(notices(failed)).toEqual([{ ...cut, cause: 'model_credential_refused' }, about]);
    expect(notices()).toEqual([cut, about]);
  });
});

it.each([
  [[], false, undefined],
  [[], true, 'answer-cut'],
  [[cut], false, 'answer-cut'],
  [[about, limited], false, 'length'],
  [[stopped], true, 'stopped'],
  [[{ code: 'budget-near', text: 'Soon.' }], false, undefined],
])('answer with %j, broken: %j, is stored with %j', (notices, isBroken, ending) => {
  expect(cutOf(notices, isBroken)).toBe(ending);
});

describe('sentences of an answer', () => {
  it('are counted by the rules of the language', () => {
    expect(countSentences('One. Two, e.g. this! And three.', 'en')).toBe(3);
    expect(countSentences('One [1]. Two. [2] “Three!” At most 20 percent of', 'en')).toBe(3);
    expect(countSentences('At most', 'en')).toBe(0);
    expect(countSentences('第一句。第二句！', 'zh-CN')).toBe(2);
    expect(countSentences(' \n - ', 'en')).toBe(0);
  });
});

describe('decision about a citation', () => {
  const data = { index: 1, path: 'a.md', startLine: 1, endLine: 1, quote: 'Owls.', support: 'partial' };
  const judgedBy = (...parts: object[]) => viewOfMessage(parts as never).citations.map(({ by }) => by);

  it("is the service's decision, in live and stored answers", () => {
    const cited = { type: 'data-citation', data: { ...data, reason: 'Not in the quotes: 5' } };
    expect(judgedBy(cited)).toEqual([undefined]);
    const support = { id: '1', support: 'partial', reason: 'Only some.' };
    expect(judgedBy(cited, { type: 'data-citation-support', data: { ...support, judged: true } })).toEqual([
      'model',
    ]);
    expect(judgedBy(cited, { type: 'data-citation-support', data: support })).toEqual([undefined]);
    expect(judgedBy({ type: 'data-citation', data: { ...data, judged: true } })).toEqual(['model']);
    expect(judgedBy({ type: 'data-citation', data: { ...data, by: 'nli', judged: true } })).toEqual(['nli']);
    expect(judgedBy({ type: 'data-citation', data: { ...data, by: 'oracle' } })).toEqual([undefined]);
  });
});

describe('findings for a citation', () => {
  const data = { index: 1, path: 'a.md', startLine: 1, endLine: 1, quote: 'Owls.', support: 'partial' };
  const finding = { rule: 'number_missing', own: '9' };
  const foundIn = (...parts: object[]) => viewOfMessage(parts as never).citations[0]?.findings;

  it('omit malformed findings', () => {
    const odd = [
      null,
      7,
      { rule: 'magic', own: '9' },
      { rule: 'negation' },
      { ...finding, where: { page: 3 } },
    ];
    expect(foundIn({ type: 'data-citation', data: { ...data, findings: [...odd, finding] } })).toEqual([
      finding,
    ]);
    expect(foundIn({ type: 'data-citation', data: { ...data, findings: 'x' } })).toBeUndefined();
  });

  it('are replaced by the findings of a later judgment', () => {
    const cited = { type: 'data-citation', data: { ...data, findings: [finding] } };
    const judged = { id: '1', support: 'none', reason: '', by: 'model' };
    expect(foundIn(cited, { type: 'data-citation-support', data: judged })).toEqual([finding]);
    expect(foundIn(cited, { type: 'data-citation-support', data: { ...judged, findings: [] } })).toEqual([]);
  });
});

describe('reason for keyword-only search', () => {
  it.each(['failed', 'other-index'] as const)("is recognized in the service's sentence: %s", (fellBack) => {
    const found = { mode: 'lexical' as const, fellBack, nearness: 1, passages: [] };
    expect([...searchNotices(false, found)].map(keywordReason)).toEqual([fellBack]);
  });

  it('is not guessed', () => {
    expect(keywordReason(about)).toBeUndefined();
  });
});

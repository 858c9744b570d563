import { describe, expect, it } from '@jest/globals';
import { readAddresses } from '../../../web/research/addresses.ts';
import {
  asCited,
  citationOf,
  countNotFound,
  dateOf,
  numberFootnotes,
  placeOfId,
  sentencesOf,
  supportOf,
} from '../../../web/research/footnotes.ts';
import { add, answerOf, draftOf, MAX_QUESTIONS, move, rewrite } from '../../../web/research/plan-edit.ts';
import { readProgress } from '../../../web/research/progress.ts';
import type { Evidence, Research } from '../../../web/research/research.ts';

const evidence = (id: string, changed: Partial<Evidence> = {}): Evidence => ({
  ...{ id, questionId: 'q1', claim: 'Owls hunt.', quote: 'Owls hunt at night.', path: 'owls.md' },
  ...{ startLine: 3, endLine: 4, source: { kind: 'file', title: 'Owls' }, verified: true, supports: 'yes' },
  ...changed,
});

describe('report', () => {
  it('numbers its footnotes by their first use, each once', () => {
    const sentence = (...ids: string[]) => ({ text: 'x', evidence: ids, state: 'supported' as const });
    const sections: Research['sections'] = [
      { questionId: null, heading: 'Summary', paragraphs: [[sentence('e7'), sentence()]] },
      { questionId: 'q1', heading: 'When?', paragraphs: [[sentence('e2', 'e7')], [sentence('e1')]] },
    ];
    const all = [evidence('e1'), evidence('e2', { path: 'b.md' }), evidence('e7', { path: 'c.md' })];
    const footnotes = numberFootnotes({ sections, evidence: all });
    expect([...footnotes.numbers]).toEqual([
      ['e7', 1],
      ['e2', 2],
      ['e1', 3],
    ]);
    expect(footnotes.cited.map(({ id }) => id)).toEqual(['e7', 'e2', 'e1']);
  });

  it('gives a location one number, and opens it by its first quote', () => {
    const paragraphs = [[{ text: 'x', evidence: ['e1', 'e9'], state: 'supported' as const }]];
    const footnotes = numberFootnotes({
      sections: [{ questionId: null, heading: 'Summary', paragraphs }],
      evidence: [evidence('e1'), evidence('e9')],
    });
    expect([...footnotes.numbers]).toEqual([
      ['e1', 1],
      ['e9', 1],
    ]);
    expect(placeOfId(footnotes, 'e9')).toBe('e1');
    expect(placeOfId(footnotes, 'e5')).toBe('e5');
  });

  it('counts the cited quotes that were not found', () => {
    const paragraphs = [[{ text: 'x', evidence: ['e1', 'e2'], state: 'supported' as const }]];
    const footnotes = numberFootnotes({
      sections: [{ questionId: null, heading: 'Summary', paragraphs }],
      evidence: [
        evidence('e1'),
        evidence('e2', { path: 'b.md', verified: false }),
        evidence('e3', { verified: false }),
      ],
    });
    expect(countNotFound(footnotes)).toBe(1);
  });

  it('shows a source at its location, and whether the source is unchecked', () => {
    expect(citationOf(evidence('e1', { page: 7 }), 3)).toMatchObject({
      ...{ index: 3, startLine: 3, support: 'full', place: { kind: 'page', at: '7' } },
    });
    expect(citationOf(evidence('e1', { verified: false, sheet: 'A' }), 1)).toMatchObject({
      ...{ support: 'none', isMissing: true, place: { kind: 'sheet', at: 'A' } },
    });
    expect(citationOf(evidence('e1'), 1)).not.toHaveProperty('place');
  });

  it('calls no quote a support if no model judged it', () => {
    const counts = { sentences: 1, supported: 1, marked: 0, dropped: 0, judged: false };
    expect(citationOf(evidence('e1'), 1, counts)).toMatchObject({ support: 'unjudged' });
    expect(supportOf(evidence('e1', { verified: false }), counts)).toMatchObject({ support: 'none' });
  });

  describe('whose sentences cite one location', () => {
    const evidences = [evidence('e1', { supports: 'partly' }), evidence('e9')];
    const says = (text: string, support?: 'partial' | 'unjudged') => ({
      ...{ text, evidence: [text === 'Last.' ? 'e9' : 'e1'] },
      ...(support ? { state: 'marked' as const, support } : { state: 'supported' as const }),
    });
    const paragraphs = [
      [says('First.'), says('Doubted.', 'partial'), says('Open.', 'unjudged'), says('Last.')],
    ];
    const sections = [{ questionId: null, heading: 'Summary', paragraphs }];
    const footnotes = numberFootnotes({ sections, evidence: evidences });
    const placeOf = (counts: Partial<Research['counts']> = {}, changed: Partial<Evidence> = {}) => {
      const citation = citationOf(evidence('e1', changed), 1);
      const all = { sentences: 4, supported: 2, marked: 2, dropped: 0, ...counts };
      const cited = { evidenceId: 'e1', citation };
      return { citation, sentences: sentencesOf({ sections, counts: all }, footnotes, cited) };
    };
    const supportsOf = (...args: Parameters<typeof placeOf>) =>
      placeOf(...args).sentences.map(({ citation }) => citation.support);

    it('has the support of each sentence, not of its quote', () => {
      expect(supportsOf()).toEqual(['full', 'partial', 'unjudged', 'full']);
      expect(supportsOf({ judged: false })).toEqual(['unjudged', 'partial', 'unjudged', 'unjudged']);
      expect(supportsOf({}, { verified: false })).toEqual(['none', 'none', 'none', 'none']);
    });

    it('opens each separately, and the weakest from the list of sources', () => {
      expect(asCited(placeOf(), 'Last.')).toMatchObject({ support: 'full', nth: 4 });
      expect(asCited(placeOf())).toMatchObject({ support: 'partial', nth: 2 });
      expect(asCited({ ...placeOf(), sentences: [] })).toEqual(placeOf().citation);
    });
  });

  it.each([
    [{ publishedDate: '2024-05-01', retrievedAt: '2026-01-02T03:04:05.000Z' }, '2024-05-01'],
    [{ retrievedAt: '2026-01-02T03:04:05.000Z' }, '2026-01-02'],
    [{ year: 2021, retrievedAt: '2024-02-01T10:00:00.000Z' }, '2021'],
    [{}, undefined],
  ])('shows the date of a source %j as %s', (fields, day) => {
    expect(dateOf(evidence('e1', { source: { kind: 'web', title: 'x', ...fields } }))).toBe(day);
  });
});

describe('research plan', () => {
  const plan = {
    questions: [
      { id: 'q1', question: 'When?', answeredBy: 'a time', keywords: ['night'] },
      { id: 'q2', question: 'Where?', answeredBy: 'a place' },
    ],
  };
  const draft = draftOf(plan);

  it('is approved unchanged without edits', () => {
    expect(answerOf(plan, draft)).toEqual({ approved: true });
    expect(answerOf(plan, move(move(draft, 0, 1), 0, 1))).toEqual({ approved: true });
    expect(answerOf(plan, add(draft))).toEqual({ approved: true });
  });

  it('is sent with its questions if they are edited or reordered', () => {
    expect(answerOf(plan, move(draft, 1, -1))?.questions?.map(({ question }) => question)).toEqual([
      ...['Where?', 'When?'],
    ]);
    expect(answerOf(plan, rewrite(draft, 0, ' Whence? '))?.questions).toEqual([
      { question: 'Whence?', answeredBy: 'a time' },
      { question: 'Where?', answeredBy: 'a place' },
    ]);
  });

  it('is not sent without questions', () => {
    expect(answerOf(plan, [])).toBeUndefined();
    expect(answerOf(plan, rewrite([draft[0] as (typeof draft)[0]], 0, ' '))).toBeUndefined();
  });

  it("moves nothing beyond its ends, and has at most the service's number of questions", () => {
    expect(move(draft, 0, -1)).toBe(draft);
    expect(move(draft, 1, 1)).toBe(draft);
    let many = draft;
    for (let at = 0; at < 20; at++) many = add(many);
    expect(many).toHaveLength(MAX_QUESTIONS);
    expect(new Set(many.map(({ key }) => key)).size).toBe(MAX_QUESTIONS);
  });
});

describe('readProgress', () => {
  it('sums up the tokens, and lists the files while they are read', () => {
    const data = {
      phase: 'read',
      done: 2,
      total: 9,
      reading: 'Owls',
      calls: 3,
      inputTokens: 10,
      outputTokens: 5,
    };
    expect(readProgress({ ...data, costUsd: 0.5 })).toEqual({
      ...{ phase: 'read', done: 2, total: 9, reading: 'Owls', calls: 3, tokens: 15, costUsd: 0.5 },
    });
    expect(readProgress({ ...data, phase: 'weigh' })).not.toHaveProperty('reading');
  });

  it.each([undefined, null, 'x', {}, { phase: 'dance' }, { phase: 1 }])('ignores %j', (data) => {
    expect(readProgress(data)).toBeUndefined();
  });

  it("treats values that aren't numbers as missing", () => {
    expect(readProgress({ phase: 'plan', done: '1', total: -1, calls: null, costUsd: '1' })).toEqual({
      ...{ phase: 'plan', done: 0, total: 0, calls: 0, tokens: 0, costUsd: null },
    });
  });
});

describe('readAddresses', () => {
  it('reads one URL per line, and lists invalid lines', () => {
    expect(readAddresses('https://a.example/x\n\n http://b.example \njavascript:1\nhttps://\n')).toEqual({
      addresses: ['https://a.example/x'],
      wrong: ['http://b.example', 'javascript:1', 'https://'],
    });
    const many = Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`);
    expect(readAddresses(many.join('\n'))).toMatchObject({ wrong: ['https://a.example/20'] });
  });
});

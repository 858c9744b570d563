import { describe, expect, it } from '@jest/globals';
import type { ScoredPassage } from '../../../../lib/ports/vectors.ts';
import { putNamedFirst } from '../../../../lib/retrieval/rank/named-first.ts';
import { identifiersOf } from '../../../../lib/retrieval/rank/names.ts';
import { isNear } from '../../../../lib/retrieval/rank/near.ts';
import { rankByMeaning } from '../../../../lib/retrieval/rank/rank-meaning.ts';
import { rankByWords } from '../../../../lib/retrieval/rank/rank-words.ts';
import { termsOf } from '../../../../lib/retrieval/rank/terms.ts';
import { foundPassage as passage } from '../../../support/samples/found-passage.ts';

const rank = (question: string, ...found: ScoredPassage[]) => rankByWords(termsOf(question), found);
const paths = ({ passages }: { passages: ScoredPassage[] }) => passages.map(({ path }) => path);

describe('keyword ranking', () => {
  it("has a closeness equal to the share of the question's terms in its best passages", () => {
    const question = 'Who opened the Firth bridge?';
    const near = rank(question, passage('a', 'The Firth bridges were opening in 1890.'));
    expect(near.nearness).toBe(1);
    expect(near.passages[0]?.score).toBe(1);
    const far = rank(question, passage('a', 'They opened a bottle.'));
    expect(far.nearness).toBeCloseTo(1 / 3);
    expect(isNear(far)).toBe(false);
  });

  it('treats the answer to a long question as close, even if most of the question is a story', () => {
    const story = Array.from({ length: 30 }, (_, number) => `incident${number}`).join(' ');
    const asked = rank(`${story}: who opened the Firth bridge?`, passage('a', 'The Firth bridge opened.'));
    expect(isNear(asked)).toBe(true);
  });

  it('scores each passage relative to the best passage', () => {
    const scores = rank('apes', passage('a', 'apes', 8), passage('b', 'apes', 2)).passages.map(
      ({ score }) => score,
    );
    expect(scores).toEqual([1, 0.25]);
  });

  it('does not match longer words', () => {
    expect(rank('test', passage('a', 'the testament')).nearness).toBe(0);
    expect(rank('testing', passage('a', 'it tests')).nearness).toBe(1);
    expect(rank('pool', passage('a', 'new RoundRobinPool()')).nearness).toBe(1);
  });

  it('boosts passages that have the terms in their headings, or close together', () => {
    expect(
      paths(rank('paint', passage('a', 'x\npaint'), passage('b', 'x\npaint', 1, 'Paint of bridges'))),
    ).toEqual(['b', 'a']);
    const apart = `steel ${'x '.repeat(100)} bridge`;
    expect(paths(rank('steel bridge', passage('a', apart), passage('b', 'a steel bridge x')))).toEqual([
      'b',
      'a',
    ]);
  });

  it('does not mistake the start of a paragraph for a heading', () => {
    const early = passage('a', `paint ${'x '.repeat(200)}`, 1);
    const better = passage('b', `${'x '.repeat(150)} paint ${'x '.repeat(50)}`, 1.1);
    expect(paths(rank('paint', early, better))).toEqual(['b', 'a']);
  });

  it.each(['s', 'the s of it', '\u0301'])('ends for the term %j, whose stem could be empty', (question) => {
    expect(rankByWords([question], [passage('a', 'x'.repeat(50))]).nearness).toBe(0);
    expect(rank(question, passage('a', 'x'.repeat(50))).nearness).toBe(0);
  });

  it('is empty without terms, or without passages', () => {
    expect(rank('what is it?', passage('a', 'it is what it is'))).toEqual({ nearness: 0, passages: [] });
    expect(rank('apes')).toEqual({ nearness: 0, passages: [] });
  });
});

describe('semantic ranking', () => {
  const cosines = (...values: number[]) => values.map((value, at) => passage(`f${at}`, 'x', value));

  it("is close if the best passage stands out, whatever the model's scores of unrelated texts", () => {
    const low = rankByMeaning(cosines(0.55, ...Array(25).fill(0.2)));
    const high = rankByMeaning(cosines(0.92, ...Array(25).fill(0.8)));
    expect([isNear(low), isNear(high)]).toEqual([true, true]);
    const none = rankByMeaning(cosines(0.82, ...Array(25).fill(0.8)));
    expect(none.nearness).toBeLessThan(0.2);
    expect(rankByMeaning(cosines(0.1, 0.05)).nearness).toBe(0);
    expect(isNear(rankByMeaning(cosines(...Array(30).fill(1))))).toBe(true);
  });
});

describe('name in a question', () => {
  it('makes its file close, whatever else the question asks', () => {
    const named = putNamedFirst('What does plan.md say of apes?', {
      nearness: 0.2,
      passages: [passage('plan.md', 'x', 0.2)],
    });
    expect(isNear(named)).toBe(true);
  });

  const ranking = (...passages: ScoredPassage[]) => ({ nearness: 0.8, passages });

  it('ranks its file first, and keeps the order of the others', () => {
    const { passages } = putNamedFirst(
      'What does plan.md say of apes?',
      ranking(passage('a', 'x', 0.8), passage('b', 'x', 0.4), passage('plan.md', 'x', 0.1)),
    );
    expect(passages.map(({ path }) => path)).toEqual(['plan.md', 'a', 'b']);
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((x, y) => y - x));
    expect(scores[0]).toBeLessThanOrEqual(0.8);
  });

  it('boosts passages with its identifier, but not above much better ones', () => {
    const raised = rankFor('maxSize', passage('a', 'size', 9), passage('b', 'maxSize', 8));
    expect(paths(raised)).toEqual(['b', 'a']);
    const other = rankFor('maxSize', passage('a', 'size', 9), passage('b', 'maxSize', 4));
    expect(paths(other)).toEqual(['a', 'b']);
  });

  it('keeps the order if most passages contain its identifier', () => {
    const many = Array.from({ length: 20 }, (_, at) => passage(`f${at}`, at > 5 ? 'maxSize' : 'x', 100 - at));
    expect(paths(rankFor('maxSize', ...many))).toEqual(many.map(({ path }) => path));
  });

  const rankFor = (question: string, ...found: ScoredPassage[]) =>
    rankByWords(['asked'], found, identifiersOf(question));
});

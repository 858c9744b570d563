import { describe, expect, it } from '@jest/globals';
import type { ScoredPassage } from '../../../../lib/ports/vectors.ts';
import { combine, fuse } from '../../../../lib/retrieval/rank/fuse.ts';
import { foundPassage as passage } from '../../../support/samples/found-passage.ts';

const ranking = (paths: string, nearness = 1) => ({
  nearness,
  passages: paths.split(' ').map((path) => passage(path)),
});
const paths = (passages: ScoredPassage[]) => passages.map(({ path }) => path);

describe('fuse', () => {
  it('ranks passages first that both rankings put first, whatever their scores', () => {
    const { passages } = fuse([ranking('a b c'), ranking('b d a')]);
    expect(paths(passages)).toEqual(['b', 'a', 'd', 'c']);
  });

  it('derives scores from the closeness in the closest ranking, in decreasing order', () => {
    const { nearness, passages } = fuse([ranking('a b', 0.2), ranking('a', 0.6)]);
    expect(nearness).toBe(0.6);
    expect(passages[0]?.score).toBeCloseTo(0.6);
    expect(passages[1]?.score).toBeLessThan(0.3);
  });

  it('gives no close score to a passage that no ranking found close, whatever its rank', () => {
    const near = { nearness: 0.9, passages: [passage('a', 'a', 0.9), passage('b', 'b', 0.8)] };
    const far = { nearness: 0.02, passages: ['x', 'b', 'y'].map((path) => passage(path, path, 0.02)) };
    const scores = new Map(fuse([near, far]).passages.map(({ path, score }) => [path, score]));
    expect([...scores.keys()]).toEqual(['b', 'a', 'x', 'y']);
    expect(scores.get('b')).toBe(0.9);
    expect(scores.get('a')).toBeGreaterThan(0.4);
    expect(scores.get('x')).toBe(0.02);
    expect(scores.get('y')).toBe(0.02);
  });

  it('ignores low ranks', () => {
    const others = Array.from({ length: 60 }, (_, at) => `x${at}`).join(' ');
    const { passages } = fuse([ranking(`best ${others} late`), ranking(`y late`), ranking(`${others} best`)]);
    const places = paths(passages);
    expect(places.indexOf('y')).toBeLessThan(places.indexOf('late'));
  });

  it('keeps the passages of one file separate', () => {
    const both = [passage('a'), { ...passage('a'), chunk: 1 }];
    expect(fuse([{ nearness: 1, passages: both }]).passages).toHaveLength(2);
  });

  it('keeps a single ranking unchanged', () => {
    expect(paths(fuse([ranking('c a b')]).passages)).toEqual(['c', 'a', 'b']);
  });
});

describe('combine', () => {
  const scored = (nearness: number, scores: Record<string, number>) => ({
    nearness,
    passages: Object.entries(scores).map(([path, score]) => passage(path, path, score)),
  });

  it('ranks a passage first that one ranking finds much better, although another ranks it last', () => {
    const byWords = scored(1, { a: 1, b: 0.3, c: 0.29 });
    const byMeaning = scored(0.3, { c: 0.3, b: 0.29, a: 0.1 });
    expect(paths(combine(byWords, byMeaning).passages)).toEqual(['a', 'b', 'c']);
  });

  it('uses the order of vectors if the question shares hardly any words with the files', () => {
    const { nearness, passages } = combine(scored(0.1, { x: 0.1, y: 0.09 }), scored(0.9, { a: 0.9, b: 0.5 }));
    expect(paths(passages)).toEqual(['a', 'b', 'x', 'y']);
    expect(nearness).toBe(0.9);
    expect(passages[0]?.score).toBeCloseTo(0.9);
  });

  it('gives no close score if neither ranking found a close passage', () => {
    const { passages } = combine(scored(0, { a: 0 }), scored(0, { b: 0 }));
    expect(passages.map(({ score }) => score)).toEqual([0, 0]);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { ScoredPassage } from '../../../../lib/ports/vectors.ts';
import { fuse } from '../../../../lib/retrieval/rank/fuse.ts';
import { foundPassage as passage } from '../../../support/samples/found-passage.ts';

const ranking = (paths: string, nearness = 1) => ({
  nearness,
  passages: paths.split(' ').map((path) => passage(path)),
});
const paths = (passages: ScoredPassage[]) => passages.map(({ path }) => path);

describe('fuse', () => {
  it('puts first what both rankings hold high, whatever their scores', () => {
    const { passages } = fuse([ranking('a b c'), ranking('b d a')]);
    expect(paths(passages)).toEqual(['b', 'a', 'd', 'c']);
  });

  it('scores from the nearness of the nearest ranking downwards', () => {
    const { nearness, passages } = fuse([ranking('a b', 0.2), ranking('a', 0.6)]);
    expect(nearness).toBe(0.6);
    expect(passages[0]?.score).toBeCloseTo(0.6);
    expect(passages[1]?.score).toBeLessThan(0.3);
  });

  it('scores nothing near that no ranking found near, whatever its place', () => {
    const near = { nearness: 0.9, passages: [passage('a', 'a', 0.9), passage('b', 'b', 0.8)] };
    const far = { nearness: 0.02, passages: ['x', 'b', 'y'].map((path) => passage(path, path, 0.02)) };
    const scores = new Map(fuse([near, far]).passages.map(({ path, score }) => [path, score]));
    expect([...scores.keys()]).toEqual(['b', 'a', 'x', 'y']);
    expect(scores.get('b')).toBe(0.9);
    expect(scores.get('a')).toBeGreaterThan(0.4);
    expect(scores.get('x')).toBe(0.02);
    expect(scores.get('y')).toBe(0.02);
  });

  it('keeps the passages of one file apart', () => {
    const both = [passage('a'), { ...passage('a'), chunk: 1 }];
    expect(fuse([{ nearness: 1, passages: both }]).passages).toHaveLength(2);
  });

  it('keeps one ranking as it is', () => {
    expect(paths(fuse([ranking('c a b')]).passages)).toEqual(['c', 'a', 'b']);
  });
});

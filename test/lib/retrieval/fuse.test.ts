import { describe, expect, it } from '@jest/globals';
import type { ScoredPassage } from '../../../lib/ports/vectors.ts';
import { fuse } from '../../../lib/retrieval/fuse.ts';
import { selectPassages } from '../../../lib/retrieval/passages.ts';

function passage(path: string, text = path): ScoredPassage {
  const place = { chunk: 0, startLine: 1, endLine: 1, startChar: 0, endChar: text.length, part: {} };
  return { path, fileHash: 'h', text, ...place, score: Math.random() };
}

const ranking = (paths: string) => paths.split(' ').map((path) => passage(path));

describe('fuse', () => {
  it('puts first what both rankings hold high, whatever their scores', () => {
    const fused = fuse([ranking('a b c'), ranking('b d a')]);
    expect(fused.map(({ path }) => path)).toEqual(['b', 'a', 'd', 'c']);
  });

  it('scores from 1 downwards', () => {
    const fused = fuse([ranking('a b'), ranking('a')]);
    expect(fused[0]?.score).toBeCloseTo(1);
    expect(fused[1]?.score).toBeLessThan(0.5);
  });

  it('keeps the passages of one file apart', () => {
    expect(fuse([[passage('a'), { ...passage('a'), chunk: 1 }]])).toHaveLength(2);
  });

  it('keeps one ranking as it is', () => {
    expect(fuse([ranking('c a b')]).map(({ path }) => path)).toEqual(['c', 'a', 'b']);
  });
});

describe('selectPassages', () => {
  it('takes twelve at most', () => {
    const ranked = Array.from({ length: 20 }, (_, at) => passage(`f${at}`));
    expect(selectPassages(ranked)).toEqual(ranked.slice(0, 12));
  });

  it('takes what fits into the room for them', () => {
    const ranked = [
      passage('a', 'a'.repeat(15_000)),
      passage('b', 'b'.repeat(2000)),
      passage('c', 'c'.repeat(900)),
    ];
    expect(selectPassages(ranked).map(({ path }) => path)).toEqual(['a', 'c']);
  });

  it('offers a text once', () => {
    expect(selectPassages([passage('a', 'same'), passage('copy', 'same')]).map(({ path }) => path)).toEqual([
      'a',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { ScoredPassage } from '../../../../lib/ports/vectors.ts';
import { orderFairly } from '../../../../lib/retrieval/rank/fair-order.ts';

const passages = (workspaceId: string, scores: number[]) =>
  scores.map((score, chunk) => ({ workspaceId, path: workspaceId, chunk, score }) as ScoredPassage);

const order = (found: ScoredPassage[]) =>
  orderFairly(found).map(({ passage }) => `${passage.workspaceId}${passage.chunk}`);

describe('orderFairly', () => {
  it('puts the best passage of a small workspace among the first of a large one', () => {
    const found = [...passages('a', Array(100).fill(1)), ...passages('b', [0.75])];
    expect(order(found).slice(0, 5)).toEqual(['a0', 'a1', 'a2', 'b0', 'a3']);
  });

  it('keeps the order of each workspace', () => {
    expect(order(passages('a', [0.9, 0.5, 0.5, 0.1]))).toEqual(['a0', 'a1', 'a2', 'a3']);
  });

  it('puts unrelated workspaces after the passages of the right workspace', () => {
    const others = Array.from({ length: 19 }, (_, at) => passages(`o${at}-`, [0.3]));
    const found = [...passages('a', Array(8).fill(1)), ...others.flat()];
    expect(order(found).slice(0, 8)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
  });
});

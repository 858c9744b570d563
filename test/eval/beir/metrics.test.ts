import { describe, expect, it } from '@jest/globals';
import type { Query } from './collection.ts';
import { bootstrap, measureRun } from './metrics.ts';
import { formatRun, parseRun } from './trec-run.ts';

const query = (id: string, judgments: Record<string, number>): Query => {
  return { id, text: id, judgments: new Map(Object.entries(judgments)) };
};

describe('metrics of a run', () => {
  it('are equal to those of trec_eval', () => {
    const run = new Map([['q', ['x', 'b', 'a']]]);
    const values = measureRun([query('q', { a: 2, b: 1, c: 1 })], run);
    const best = 2 + 1 / Math.log2(3) + 1 / 2;
    expect(values['nDCG@10'][0]).toBeCloseTo((1 / Math.log2(3) + 2 / 2) / best, 10);
    expect(values['recall@10']).toEqual([2 / 3]);
    expect(values['MRR@10']).toEqual([1 / 2]);
  });

  it('count a query without results as 0, and ignore results after the tenth', () => {
    const others = Array.from({ length: 10 }, (_, place) => `x${place}`);
    const queries = [query('none', { a: 1 }), query('late', { a: 1 })];
    const values = measureRun(queries, new Map([['late', [...others, 'a']]]));
    expect(values['nDCG@10']).toEqual([0, 0]);
    expect(values['MRR@10']).toEqual([0, 0]);
    expect(values['recall@50']).toEqual([0, 1]);
  });

  it('omit the document that is the query itself', () => {
    const values = measureRun([query('q', { a: 1 })], new Map([['q', ['q', 'a']]]));
    expect(values['nDCG@10']).toEqual([1]);
  });
});

const halves = (count: number) => Array.from({ length: count }, (_, place) => place % 2);

describe('bootstrap interval', () => {
  it('is reproducible, and narrows with the number of queries', () => {
    const few = bootstrap(halves(20), 1000);
    const many = bootstrap(halves(2000), 1000);
    expect(bootstrap(halves(20), 1000)).toEqual(few);
    expect(few.mean).toBe(0.5);
    expect(few.high - few.low).toBeGreaterThan(0.35);
    expect(many.high - many.low).toBeLessThan(0.06);
  });

  it('includes zero for random differences, and excludes it for systematic ones', () => {
    const none = bootstrap(
      Array.from({ length: 200 }, (_, place) => (place % 2 === 0 ? 0.3 : -0.3)),
      1000,
    );
    expect(none.low).toBeLessThan(0);
    expect(none.high).toBeGreaterThan(0);
    expect(
      bootstrap(Array.from({ length: 200 }, (_, place) => (place % 3 === 0 ? -0.1 : 0.3))).low,
    ).toBeGreaterThan(0);
  });
});

describe('run in TREC format', () => {
  it('is ordered by scores, not by ranks', () => {
    expect(parseRun('q Q0 a 1 0.1 tag\nq Q0 b 2 0.9 tag\n')).toEqual(new Map([['q', ['b', 'a']]]));
  });

  it('is read as it was written', () => {
    const run = new Map([['q', ['a', 'b', 'c']]]);
    expect(parseRun(formatRun(run, 'words'))).toEqual(run);
  });
});

import { expect, it } from '@jest/globals';
import { readProgress, sumsSoFar } from '../../../web/research/progress.ts';

const NONE = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
const estimate = { ...NONE, calls: 51, costUsd: 0.4 as number | null };
const plan = { questions: [], sources: [] } as never;

it('progress has no sums while no call of the result is counted', () => {
  const begun = readProgress({ phase: 'gather', done: 0, total: 1, ...NONE });
  const counted = readProgress({ phase: 'gather', done: 0, total: 1, ...NONE, calls: 2, inputTokens: 7 });
  expect(sumsSoFar(undefined, { ...NONE, estimate, plan: null }).isCounted).toBe(true);
  expect(sumsSoFar(undefined, { ...NONE, estimate, plan }).isCounted).toBe(false);
  expect(sumsSoFar(begun, { ...NONE, estimate, plan }).isCounted).toBe(false);
  expect(sumsSoFar(counted, { ...NONE, estimate, plan })).toEqual({
    ...{ isCounted: true, calls: 2, tokens: 7, costUsd: 0 },
  });
});

it('progress has no cost for a model without a price, from the start', () => {
  const research = { ...NONE, plan, estimate: { ...estimate, costUsd: null } };
  const begun = readProgress({ phase: 'gather', done: 0, total: 1, ...NONE });
  expect(sumsSoFar(undefined, research).costUsd).toBeNull();
  expect(sumsSoFar(begun, research).costUsd).toBeNull();
  expect(sumsSoFar(begun, { ...research, estimate }).costUsd).toBe(0);
});

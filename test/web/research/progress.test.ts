import { expect, it } from '@jest/globals';
import { readProgress, sumsSoFar } from '../../../web/research/progress.ts';

const NONE = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
const plan = { questions: [], sources: [] } as never;

it('has no sums while results are there that no call is counted for', () => {
  const begun = readProgress({ phase: 'gather', done: 0, total: 1, ...NONE });
  const counted = readProgress({ phase: 'gather', done: 0, total: 1, ...NONE, calls: 2, inputTokens: 7 });
  expect(sumsSoFar(undefined, { ...NONE, plan: null }).isCounted).toBe(true);
  expect(sumsSoFar(undefined, { ...NONE, plan }).isCounted).toBe(false);
  expect(sumsSoFar(begun, { ...NONE, plan }).isCounted).toBe(false);
  expect(sumsSoFar(counted, { ...NONE, plan })).toEqual({
    ...{ isCounted: true, calls: 2, tokens: 7, costUsd: 0 },
  });
});

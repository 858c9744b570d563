import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { backOffDelay, jitteredDelay, retry } from '../../../lib/async/retry.ts';

/** Longer than a test may take. */
const LONG_MS = 8000;

/** Returns work that fails with these errors, one per attempt, and then succeeds. */
function failing(...errors: unknown[]) {
  return jest.fn(async (): Promise<string> => {
    if (errors.length > 0) throw errors.shift();
    return 'done';
  });
}
const [first, second, third] = ['first', 'second', 'third'].map((message) => new Error(message));

afterEach(() => {
  jest.restoreAllMocks();
});

describe('retry', () => {
  it('repeats failed work, and asks after each failure how long to wait', async () => {
    const work = failing(first, second);
    const waitAfter = jest.fn(() => 0);
    expect(await retry(work, { waitAfter })).toBe('done');
    expect(work).toHaveBeenCalledTimes(3);
    expect(waitAfter.mock.calls).toEqual([
      [first, 1],
      [second, 2],
    ]);
  });

  it('waits for the requested time', async () => {
    const startedAt = performance.now();
    await retry(failing(first, second), { waitAfter: (_error, failures) => 20 * failures });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58); // timers round down
  });

  it("throws immediately for an error that isn't retryable", async () => {
    const work = failing(first, second);
    const waitAfter = (error: unknown) => (error === first ? 0 : undefined);
    await expect(retry(work, { waitAfter })).rejects.toBe(second);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('throws the last error after the last attempt, without another wait', async () => {
    const work = failing(first, second, third);
    const waitAfter = jest.fn((_error: unknown, failures: number) => (failures < 2 ? 0 : LONG_MS));
    await expect(retry(work, { waitAfter, maxTries: 2 })).rejects.toBe(second);
    expect(work).toHaveBeenCalledTimes(2);
    expect(waitAfter).toHaveBeenCalledTimes(1);
  });

  it('starts no wait that would exceed its time limit', async () => {
    const work = failing(first, second);
    const waitAfter = (_error: unknown, failures: number) => (failures === 1 ? 0 : 10_001);
    await expect(retry(work, { waitAfter, patienceMs: 10_000 })).rejects.toBe(second);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('counts the time of its attempts toward the limit', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const work = failing(first, second);
    const waitAfter = () => {
      now.mockReturnValue(90);
      return 11;
    };
    await expect(retry(work, { waitAfter, patienceMs: 100 })).rejects.toBe(first);
  });

  it('ends a wait with the reason of its signal', async () => {
    const controller = new AbortController();
    const waitAfter = () => {
      setTimeout(() => controller.abort(third), 5);
      return LONG_MS;
    };
    const work = failing(first);
    await expect(retry(work, { waitAfter, signal: controller.signal })).rejects.toBe(third);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('stops without asking if the signal is aborted during an attempt', async () => {
    const controller = new AbortController();
    const work = jest.fn(async (): Promise<string> => {
      controller.abort(third);
      throw first;
    });
    const waitAfter = jest.fn(() => 0);
    await expect(retry(work, { waitAfter, signal: controller.signal })).rejects.toBe(third);
    expect([work.mock.calls.length, waitAfter.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('retry delays', () => {
  it('double up to the maximum', () => {
    expect([1, 2, 3, 4, 2000].map((failures) => backOffDelay(failures, 100, 700))).toEqual([
      100, 200, 400, 700, 700,
    ]);
    expect(backOffDelay(5, 100)).toBe(1600);
  });

  it('are randomly up to half shorter with jitter, and never longer', () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0);
    expect([1, 2, 9].map((failures) => jitteredDelay(failures, 100, 700))).toEqual([50, 100, 350]);
    random.mockReturnValue(1 - Number.EPSILON);
    expect([1, 2, 9].map((failures) => Math.round(jitteredDelay(failures, 100, 700)))).toEqual([
      100, 200, 700,
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { coalesce } from '../../../lib/bots/coalesce.ts';

const LONG_MS = 60_000;

describe('values that are shown one at a time', () => {
  it('wait for the rest, and only the newest is shown', async () => {
    const shown: number[] = [];
    const values = coalesce(async (value: number) => void shown.push(value), LONG_MS);
    for (const value of [1, 2, 3]) values.offer(value);
    expect(shown).toEqual([]);
    await values.flush();
    expect(shown).toEqual([3]);
  });

  it('are never two on their way, and the last is always shown', async () => {
    const shown: number[] = [];
    let onTheWay = 0;
    let most = 0;
    const values = coalesce(async (value: number) => {
      most = Math.max(most, ++onTheWay);
      await new Promise(setImmediate);
      onTheWay -= 1;
      shown.push(value);
    }, 1);
    for (let value = 1; value <= 200; value++) {
      values.offer(value);
      if (value % 7 === 0) await new Promise(setImmediate);
    }
    await values.flush();
    expect(shown.at(-1)).toBe(200);
    expect(most).toBe(1);
  });

  it('rest between each other', async () => {
    const at: number[] = [];
    const second = Promise.withResolvers<void>();
    const values = coalesce(async (value: number) => {
      at.push(performance.now());
      if (value === 2) second.resolve();
      else values.offer(2);
    }, 50);
    values.offer(1);
    await second.promise;
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(45);
  });

  it('can be offered again after a flush', async () => {
    const shown: number[] = [];
    const values = coalesce(async (value: number) => void shown.push(value), LONG_MS);
    await values.flush();
    values.offer(1);
    await values.flush();
    values.offer(2);
    await values.flush();
    expect(shown).toEqual([1, 2]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { coalesce } from '../../../../lib/bots/reply/coalesce.ts';

/** Records the shown values, in order. Each display can be awaited. */
function recorder() {
  const shown: number[] = [];
  const waiting: (() => void)[] = [];
  return {
    shown,
    show: async (value: number) => {
      shown.push(value);
      for (const wake of waiting.splice(0)) wake();
    },
    async until(value: number): Promise<void> {
      while (shown.at(-1) !== value) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

describe('coalesced values', () => {
  it('wait for the pause, after which only the newest one is shown', async () => {
    const { shown, show, until } = recorder();
    const values = coalesce(show, 20);
    for (const value of [1, 2, 3]) values.offer(value);
    expect(shown).toEqual([]);
    await until(3);
    expect(shown).toEqual([3]);
    values.offer(4);
    await until(4);
    expect(shown).toEqual([3, 4]);
  });

  it('are shown one at a time, and the last is always shown', async () => {
    const { shown, show, until } = recorder();
    let onTheWay = 0;
    let most = 0;
    const values = coalesce(async (value: number) => {
      most = Math.max(most, ++onTheWay);
      await new Promise(setImmediate);
      onTheWay -= 1;
      await show(value);
    }, 1);
    for (let value = 1; value <= 200; value++) {
      values.offer(value);
      if (value % 7 === 0) await new Promise(setImmediate);
    }
    await until(200);
    expect(shown.length).toBeLessThan(200);
    expect(most).toBe(1);
  });

  it('are separated by pauses', async () => {
    const { show, until } = recorder();
    const at: number[] = [];
    const values = coalesce(async (value: number) => {
      at.push(performance.now());
      await show(value);
    }, 50);
    values.offer(1);
    await until(1);
    values.offer(2);
    await until(2);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(45);
  });

  it('are dropped by a stop, except for the current value, whose end the stop awaits', async () => {
    const shown: number[] = [];
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const values = coalesce(async (value: number) => {
      begun.resolve();
      await gate.promise;
      shown.push(value);
    }, 1);
    values.offer(1);
    await begun.promise;
    values.offer(2);
    const stopped = values.stop();
    gate.resolve();
    await stopped;
    expect(shown).toEqual([1]);
  });

  it('are dropped immediately by a stop, however long the pause is', async () => {
    const { shown, show } = recorder();
    const values = coalesce(show, 3_600_000);
    values.offer(1);
    await values.stop();
    expect(shown).toEqual([]);
  });
});

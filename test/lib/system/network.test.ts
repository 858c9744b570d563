import { describe, expect, it } from '@jest/globals';
import { networkMeter } from '../../../lib/system/network.ts';

/** Simulates a host whose counters and clock the test sets. */
function machine() {
  const state = { at: 0, rx: 0, tx: 0, waits: 0, broken: false };
  const line = (name: string, rx: number, tx: number) => `  ${name}: ${rx} 1 0 0 0 0 0 0 ${tx} 1 0 0 0 0 0 0`;
  const measure = networkMeter({
    async read() {
      if (state.broken) throw new Error('no such file');
      return [
        'Inter-|   Receive                                                |  Transmit',
        ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets',
        line('lo', 9e9 + state.at * 1e6, 9e9),
        line('eth0', state.rx, 0),
        `  eth1:${state.rx} 1 0 0 0 0 0 0 ${state.tx} 1 0 0 0 0 0 0`,
      ].join('\n');
    },
    now: () => state.at,
    async wait(milliseconds) {
      state.waits += 1;
      pass(milliseconds);
    },
  });
  /** Makes each of two interfaces receive 1,000 and send 500 bytes per second. */
  function pass(milliseconds: number) {
    state.at += milliseconds;
    state.rx += milliseconds;
    state.tx += milliseconds / 2;
  }
  return { state, measure, pass };
}

describe('networkMeter', () => {
  it('sums up all interfaces except loopback, and measures for a short time at first', async () => {
    const { measure, state } = machine();
    expect(await measure()).toEqual({ rxBytesPerSecond: 2000, txBytesPerSecond: 500, sampledMs: 200 });
    expect(state.waits).toBe(1);
  });

  it('compares with the previous call up to ten seconds ago, without waiting', async () => {
    const { measure, state, pass } = machine();
    await measure();
    for (const span of [200, 3000, 10_000]) {
      pass(span);
      expect(await measure()).toMatchObject({ rxBytesPerSecond: 2000, sampledMs: span });
    }
    expect(state.waits).toBe(1);
    pass(10_001);
    expect(await measure()).toMatchObject({ sampledMs: 200 });
    expect(state.waits).toBe(2);
  });

  it('uses the second to last sample if the last one is too recent', async () => {
    const { measure, state, pass } = machine();
    await measure();
    pass(50);
    expect(await measure()).toMatchObject({ rxBytesPerSecond: 2000, sampledMs: 250 });
    expect(state.waits).toBe(1);
  });

  it('serves concurrent callers with one measurement', async () => {
    const { measure, state } = machine();
    const all = await Promise.all(Array.from({ length: 20 }, measure));
    expect(new Set(all).size).toBe(1);
    expect(state.waits).toBe(1);
  });

  it('is never below zero when counters restart', async () => {
    const { measure, state, pass } = machine();
    await measure();
    pass(1000);
    [state.rx, state.tx] = [0, 0];
    expect(await measure()).toEqual({ rxBytesPerSecond: 0, txBytesPerSecond: 0, sampledMs: 1000 });
  });

  it('returns zeros if the system reports nothing', async () => {
    const { measure, state } = machine();
    state.broken = true;
    expect(await measure()).toEqual({ rxBytesPerSecond: 0, txBytesPerSecond: 0, sampledMs: 0 });
  });
});

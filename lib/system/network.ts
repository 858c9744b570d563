import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkSpeed } from './schema.ts';

interface Sample {
  at: number;
  rx: number;
  tx: number;
}

export interface NetworkOptions {
  /** Returns the system's counters in the format of `/proc/net/dev`. Throws if there are none. */
  read?: () => Promise<string>;
  /** Returns milliseconds, always increasing. */
  now?: () => number;
  wait?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Minimum and maximum milliseconds between samples. A shorter span means little; a longer one describes the
 * past.
 */
const MIN_SPAN_MS = 200;
const MAX_SPAN_MS = 10_000;
const NOTHING: NetworkSpeed = { rxBytesPerSecond: 0, txBytesPerSecond: 0, sampledMs: 0 };

/**
 * Measures the traffic of this host's network interfaces. The first call takes two samples. Calls within the
 * next ten seconds compare with the previous sample and don't wait.
 */
export function networkMeter({
  read = () => readFile('/proc/net/dev', 'utf8'),
  now = () => performance.now(),
  wait = sleep,
}: NetworkOptions = {}) {
  let earlier: Sample | undefined;
  let latest: Sample | undefined;
  let running: Promise<NetworkSpeed> | undefined;
  const sample = async (): Promise<Sample> => ({ at: now(), ...readCounters(await read()) });

  async function measure(): Promise<NetworkSpeed> {
    const current = await sample();
    const base = [latest, earlier].find((one) => one !== undefined && isUsable(one, current));
    if (base === undefined) {
      await wait(MIN_SPAN_MS);
      [earlier, latest] = [current, await sample()];
      return speed(current, latest);
    }
    if (base === latest) earlier = latest;
    latest = current;
    return speed(base, current);
  }

  return (): Promise<NetworkSpeed> => {
    running ??= measure()
      .catch(() => NOTHING)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}

function isUsable(before: Sample, { at }: Sample): boolean {
  return at - before.at >= MIN_SPAN_MS && at - before.at <= MAX_SPAN_MS;
}

/**
 * Returns the speed. It is never below zero, because counters restart when an interface disappears and
 * returns.
 */
function speed(before: Sample, after: Sample): NetworkSpeed {
  const seconds = (after.at - before.at) / 1000;
  const rate = (from: number, to: number) =>
    seconds > 0 ? Math.max(0, Math.round((to - from) / seconds)) : 0;
  return {
    rxBytesPerSecond: rate(before.rx, after.rx),
    txBytesPerSecond: rate(before.tx, after.tx),
    sampledMs: Math.round(after.at - before.at),
  };
}

/** Matches `eth0: <received bytes> … <8 fields later: sent bytes> …` for all interfaces except loopback. */
function readCounters(text: string): { rx: number; tx: number } {
  let [rx, tx] = [0, 0];
  for (const line of text.split('\n')) {
    const [, name, numbers = ''] = /^\s*([^:\s]+):(.+)$/.exec(line) ?? [];
    if (name === undefined || name === 'lo') continue;
    const fields = numbers.trim().split(/\s+/).map(Number);
    rx += fields[0] ?? 0;
    tx += fields[8] ?? 0;
  }
  return { rx, tx };
}

import { seededRandom } from '../citations/seeded-random.ts';

/** A sentence with whether it is supported, and whether the check flags it. */
export interface Flagged {
  isSupported: boolean;
  isFlagged: boolean;
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

const SAMPLES = 1000;

/** The mean of two shares, as LLM-AggreFact counts: supported sentences that aren't flagged, and others that are. */
export function balancedAccuracy(all: Flagged[]): number {
  return (1 - shareFlagged(all, true) + shareFlagged(all, false)) / 2;
}

export function shareFlagged(all: Flagged[], isSupported: boolean): number {
  const some = all.filter((one) => one.isSupported === isSupported);
  return some.filter(({ isFlagged }) => isFlagged).length / Math.max(1, some.length);
}

/** A figure with 95 % of its values over resampled sentences; equal for equal sentences. */
export function withInterval(all: Flagged[], figure: (some: Flagged[]) => number): Interval {
  const random = seededRandom(49);
  const values = Array.from({ length: SAMPLES }, () =>
    figure(all.flatMap(() => all[Math.floor(random() * all.length)] ?? [])),
  ).toSorted((a, b) => a - b);
  const at = (share: number) => values[Math.floor(share * SAMPLES)] ?? 0;
  return { value: figure(all), low: at(0.025), high: at(0.975) };
}

import { seededRandom } from '../citations/seeded-random.ts';

/** A sentence, with its real support and the result of the check. */
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

/**
 * Returns the balanced accuracy as in LLM-AggreFact: the mean of the share of supported sentences that aren't
 * flagged and the share of other sentences that are.
 */
export function balancedAccuracy(all: Flagged[]): number {
  return (1 - shareFlagged(all, true) + shareFlagged(all, false)) / 2;
}

export function shareFlagged(all: Flagged[], isSupported: boolean): number {
  const some = all.filter((one) => one.isSupported === isSupported);
  return some.filter(({ isFlagged }) => isFlagged).length / Math.max(1, some.length);
}

/**
 * Returns a number with its 95% interval over resampled sentences, which is the same for the same sentences.
 */
export function withInterval(all: Flagged[], figure: (some: Flagged[]) => number): Interval {
  const random = seededRandom(49);
  const values = Array.from({ length: SAMPLES }, () =>
    figure(all.flatMap(() => all[Math.floor(random() * all.length)] ?? [])),
  ).toSorted((a, b) => a - b);
  const at = (share: number) => values[Math.floor(share * SAMPLES)] ?? 0;
  return { value: figure(all), low: at(0.025), high: at(0.975) };
}

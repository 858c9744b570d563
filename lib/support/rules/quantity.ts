import type { Bound } from './bounds.ts';

/** A number that a text states, with its place. */
export interface Quantity {
  text: string;
  start: number;
  end: number;
  value: number;
  /**
   * Another possible value: `3` in `from 3 to 5 million` may mean three million, and `1.930` may mean 1930 in
   * an unknown language.
   */
  scaled?: number;
  /** Empty if no known unit follows. A unit after the second end of a range may apply to both ends. */
  units: string[];
  ordinal: boolean;
  /** The digits as written. Absent for a number in words. */
  digits?: string;
  /** Whether it is a version, in which `3.10` isn't `3.1`. */
  isVersion?: boolean;
  bound?: Bound | undefined;
  /** Whether it is an end of a range: `5 to 10 mg`. */
  isEnd?: boolean;
  /** The units after `per` (`rateAfter`). */
  rate?: string[];
  /** Whether it is a fraction, whose value is in percent; thirds are rounded. */
  isPart?: boolean;
  /** Whether it is a word that multiplies: `doubled`. */
  isMultiple?: boolean;
}

import type { Bound } from './bounds.ts';

/** A number that a text states, with where it is in it. */
export interface Quantity {
  text: string;
  start: number;
  end: number;
  value: number;
  /** What it may mean as well: `3` of `from 3 to 5 million` is three million, `1.930` of an unknown language 1930. */
  scaled?: number;
  /** Empty if no known unit follows. Both ends of a range may have the unit that follows the second. */
  units: string[];
  ordinal: boolean;
  /** The digits as written; absent for a number in words. */
  digits?: string;
  /** `3.10` is not `3.1` then. */
  isVersion?: boolean;
  bound?: Bound | undefined;
  /** An end of a range: `5 to 10 mg`. */
  isEnd?: boolean;
  /** The units that it is counted per (`rateAfter`). */
  rate?: string[];
  /** A part of something: the value is in percent, and thirds are rounded. */
  isPart?: boolean;
  /** A word that multiplies: `doubled`. */
  isMultiple?: boolean;
}

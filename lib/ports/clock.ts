import * as z from 'zod';

/** The time, as a port, so that tests can change it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Returns the clock's time plus `laterMs` in the format of all API timestamps: ISO 8601, milliseconds, `Z`. */
export function timestamp(clock: Clock, laterMs = 0): string {
  return new Date(clock.now() + laterMs).toISOString();
}

/** Returns when a record that is kept for this many seconds expires, in seconds since the epoch. */
export function expiryAfter(clock: Clock, seconds: number): number {
  return Math.floor(clock.now() / 1000) + seconds;
}

export const timestampSchema = z.iso.datetime({ precision: 3 });

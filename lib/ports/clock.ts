import * as z from 'zod';

/** The time, as a port so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The clock's time, or one so much later, in the form of every timestamp of the API: ISO 8601, milliseconds, `Z`. */
export function timestamp(clock: Clock, laterMs = 0): string {
  return new Date(clock.now() + laterMs).toISOString();
}

/** When a record that is kept so long goes away, in seconds since the epoch. */
export function expiryAfter(clock: Clock, seconds: number): number {
  return Math.floor(clock.now() / 1000) + seconds;
}

export const timestampSchema = z.iso.datetime({ precision: 3 });

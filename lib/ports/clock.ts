import * as z from 'zod';

/** The time, as a port so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The clock's time in the form of every timestamp of the API: ISO 8601, milliseconds, `Z`. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

export const timestampSchema = z.iso.datetime({ precision: 3 });

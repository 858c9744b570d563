import type { Clock } from '../../ports/clock.ts';

/** Returns the month as YYYY-MM. Months, like days, are in UTC for all users. */
export function monthOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 7);
}

/** Returns the first moment of the next month, in milliseconds since the epoch. */
export function endOfMonth(clock: Clock): number {
  const now = new Date(clock.now());
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
}

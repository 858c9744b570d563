import type { Clock } from '../../ports/clock.ts';

/** UTC, YYYY-MM: months, as days of use, are those of UTC for everybody. */
export function monthOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 7);
}

/** The first moment of the month after, milliseconds since the epoch. */
export function endOfMonth(clock: Clock): number {
  const now = new Date(clock.now());
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
}

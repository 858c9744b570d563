/**
 * Seconds that a message stays hidden after its first, second … failure: transient failures cost a workspace seconds, and
 * lasting ones aren't retried constantly. The last value applies to all later failures.
 */
const BACK_OFF_SECONDS = [2, 10, 60, 300];

/** Seconds that a message stays hidden when the disk is full: this isn't a failure of the message and doesn't count. */
export const FULL_DISK_SECONDS = 30;

/** Returns the delay of a message that failed on each of this many receives. */
export function backOffAfter(receiveCount: number): number {
  const place = Math.min(Math.max(receiveCount, 1), BACK_OFF_SECONDS.length);
  return BACK_OFF_SECONDS[place - 1] ?? 0;
}

/**
 * How long after the timeout of its worker a hidden message reappears: a dead worker can't report on its messages, and a living
 * one must not see them go to another.
 */
const AFTER_TIMEOUT_SECONDS = 15;

/** Returns the seconds for which a worker with this much remaining time hides its messages. */
export function hiddenWhileAtWork(timeLeftMs: number): number {
  return Math.ceil(timeLeftMs / 1000) + AFTER_TIMEOUT_SECONDS;
}

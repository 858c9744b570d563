/**
 * Seconds for which a message stays hidden after its first failure, its second, and so on. A transient
 * failure delays a workspace by seconds, and a lasting one isn't retried constantly. The last value applies
 * to all later failures.
 */
const BACK_OFF_SECONDS = [2, 10, 60, 300];

/**
 * Seconds for which a message stays hidden when the disk is full. The message isn't at fault, so the failure
 * doesn't count.
 */
export const FULL_DISK_SECONDS = 30;

/** Returns the delay in seconds for a message that failed on each of this many receives. */
export function backOffAfter(receiveCount: number): number {
  const place = Math.min(Math.max(receiveCount, 1), BACK_OFF_SECONDS.length);
  return BACK_OFF_SECONDS[place - 1] ?? 0;
}

/**
 * Seconds after its worker's timeout at which a hidden message reappears. A dead worker can't return its
 * messages, and another worker must not get those of a living one.
 */
const AFTER_TIMEOUT_SECONDS = 15;

/** Returns the seconds for which a worker with this much time left hides its messages. */
export function hiddenWhileAtWork(timeLeftMs: number): number {
  return Math.ceil(timeLeftMs / 1000) + AFTER_TIMEOUT_SECONDS;
}

/**
 * Seconds that a message stays hidden after it failed for the first, second … time: what passes by itself costs a
 * workspace seconds, and what lasts is not asked for all the time. The last one holds for all that follow.
 */
export const BACK_OFF_SECONDS = [2, 10, 60, 300];

/** Seconds that a message stays hidden which failed because the disk is full: it is no failure of the message, and not counted. */
export const FULL_DISK_SECONDS = 30;

/** The wait of a message that was received so many times, and failed each time. */
export function backOffAfter(receiveCount: number): number {
  const place = Math.min(Math.max(receiveCount, 1), BACK_OFF_SECONDS.length);
  return BACK_OFF_SECONDS[place - 1] ?? 0;
}

/**
 * What is still hidden when its worker's time ends comes back so many seconds later: a worker that died cannot say
 * anything of its messages any more, and one that lives must not see them come to another.
 */
const AFTER_TIMEOUT_SECONDS = 15;

/** Seconds that a worker hides its messages for, which has so much time left. */
export function hiddenWhileAtWork(timeLeftMs: number): number {
  return Math.ceil(timeLeftMs / 1000) + AFTER_TIMEOUT_SECONDS;
}

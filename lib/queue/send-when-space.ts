import { retry } from '../async/retry.ts';
import { isDiskFull } from '../known-error.ts';
import { log } from '../log.ts';

const AGAIN_MS = 5_000;
/** Maximum number of waiting messages; beyond it, the sender gets the error that the disk is full. */
const MAX_WAITING = 1000;

let waiting = 0;

/**
 * Sends messages that follow from completed work. On a full disk, resolves without sending, and this process
 * retries until there is space, because the caller must not see the work as failed. Throws any other failure.
 */
export async function sendWhenSpace(send: () => Promise<void>, againMs = AGAIN_MS): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isDiskFull(error) || waiting >= MAX_WAITING) throw error;
    log.warn('a change waits for room on the disk');
    waiting += 1;
    setTimeout(() => void sendAgain(send, againMs), againMs).unref();
  }
}

async function sendAgain(send: () => Promise<void>, againMs: number): Promise<void> {
  waiting -= 1;
  await sendWhenSpace(send, againMs).catch((error: unknown) =>
    log.error('a change that waited for room on the disk was lost', {}, error),
  );
}

const SOON_MS = 2_000;

/**
 * Retries a write until the disk has space for it. For the end of finished work, which must be neither lost
 * nor repeated. Throws DiskFull after `mostMs`, and any other failure immediately.
 */
export function writeWhenRoom<Result>(
  write: () => Promise<Result>,
  { mostMs = 10 * 60_000, againMs = SOON_MS } = {},
): Promise<Result> {
  return retry(write, {
    patienceMs: mostMs,
    waitAfter: (error) => (isDiskFull(error) ? againMs : undefined),
  });
}

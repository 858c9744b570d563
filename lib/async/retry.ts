import { setTimeout as sleep } from 'node:timers/promises';

interface RetryOptions {
  /**
   * Returns the milliseconds until the next attempt after the n-th failure: the delay that the error
   * requests, or a backOffDelay. Undefined for an error that a retry can't fix.
   */
  waitAfter(error: unknown, failures: number): number | undefined;
  maxTries?: number;
  /**
   * The maximum milliseconds from the first attempt to the start of another. A wait beyond that isn't
   * started.
   */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
}

/** Thrown by work that succeeded only in part, to retry the rest. */
export class Incomplete extends Error {}

/** Retries failed work. Throws the last error, or the signal's reason. */
export async function retry<Result>(
  work: () => Promise<Result>,
  {
    waitAfter,
    maxTries = Number.POSITIVE_INFINITY,
    patienceMs = Number.POSITIVE_INFINITY,
    signal,
  }: RetryOptions,
): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = failures < maxTries ? waitAfter(error, failures) : undefined;
      if (waitMs === undefined || performance.now() + waitMs > giveUpAt) throw error;
      await sleep(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

/** Returns the milliseconds after the n-th consecutive failure, doubled each time (exponential backoff). */
export function backOffDelay(
  failures: number,
  firstMs: number,
  longestMs = Number.POSITIVE_INFINITY,
): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}

/**
 * Returns the same delay with jitter, which makes it up to half shorter, so that callers that failed together don't
 * retry together.
 */
export function jitteredDelay(failures: number, firstMs: number, longestMs?: number): number {
  return backOffDelay(failures, firstMs, longestMs) * (0.5 + Math.random() / 2);
}

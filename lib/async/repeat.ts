/** Milliseconds after which a pending store call no longer blocks the next one. */
const PATIENCE_MS = 10_000;

/**
 * Runs the work at each interval, unless the previous run is still in progress and may still succeed. Never
 * throws, because errors go to `tell`. Doesn't keep the process alive.
 */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  tell: (error: unknown) => void,
): NodeJS.Timeout {
  let current: Promise<void> | undefined;
  let waitedMs = 0;
  return setInterval(() => {
    waitedMs += everyMs;
    if (current !== undefined && waitedMs < PATIENCE_MS) return;
    waitedMs = 0;
    const mine = work()
      .catch(tell)
      .finally(() => {
        if (current === mine) current = undefined;
      });
    current = mine;
  }, everyMs).unref();
}

/**
 * Waits, but no longer than until the connection or the tab is back, because browsers throttle timers in hidden tabs,
 * or until the signal aborts.
 */
export function untilWoken(ms: number, wake: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const { signal } = over;
    const done = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done, { signal });
    document.addEventListener('visibilitychange', done, { signal });
    wake.addEventListener('abort', done, { signal });
  });
}

/**
 * Waits until the time is over, the connection or the tab is back, or the signal aborts. Browsers throttle
 * timers in hidden tabs.
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

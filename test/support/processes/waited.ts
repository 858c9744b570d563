const TICK_MS = 10;

/**
 * Returns the milliseconds that some work waits, as a timer of this process counts them: as long as other work on the host has
 * the processor, it doesn't count. For timeouts of what runs in this process; another process would be waited for in wall time.
 */
export async function waitedMs(work: () => Promise<unknown>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return ticks * TICK_MS;
}

const TICK_MS = 10;

/**
 * Returns the milliseconds that a function waits, as a timer of this process counts them: time in which other
 * work has the processor doesn't count. For timeouts within this process; another process would be awaited in
 * wall time.
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

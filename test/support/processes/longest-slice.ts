/** How often a waiting client would be answered. */
const LOOK_EVERY_MS = 5;

/**
 * Returns the most milliseconds of CPU time that this thread works without letting a timer run, as the event loop's delay would
 * be on an idle host: wall time would also count other work on the host.
 */
export async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    look();
    clearInterval(timer);
  }
  return longest;
}

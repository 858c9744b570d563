/** The most that one slice may take on an idle host, where `PIECE` is parsed in 10 ms. */
const MOST_MS = 100;
const PIECE = JSON.stringify(Array.from({ length: 400_000 }, (_, at) => Math.sin(at)));

/**
 * Returns the milliseconds of CPU time that a slice may take here and now: other work on the host takes caches and the clock rate
 * away, so the same work takes more CPU time.
 */
export function mostSliceMs(): number {
  const before = process.threadCpuUsage();
  JSON.parse(PIECE);
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(MOST_MS, (10 * (user + system)) / 1000);
}

/** How often a waiting client would be answered. */
const LOOK_EVERY_MS = 5;

/** Attempts at most: the garbage of earlier tests may be collected in one. */
const ATTEMPTS = 3;

/**
 * Returns the most milliseconds of CPU time that this thread works without letting a timer run, as the event loop's delay would
 * be on an idle host: wall time would also count other work on the host. The least of up to three attempts counts.
 */
export async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= MOST_MS; attempt++)
    least = Math.min(least, await sliceOf(work));
  return least;
}

async function sliceOf(work: () => Promise<unknown>): Promise<number> {
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

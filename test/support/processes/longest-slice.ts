/** The maximum milliseconds of one slice. */
export const MOST_SLICE_MS = 100;

/** A reference task: an idle host parses it in `YARD_MS`. */
const YARD = JSON.stringify(Array.from({ length: 400_000 }, (_, at) => Math.sin(at)));
const YARD_MS = 10;

/** Milliseconds between the responses that a waiting client would get. */
const LOOK_EVERY_MS = 5;

/**
 * Maximum attempts, because the garbage of earlier tests may be collected in one, and another process may use
 * the caches.
 */
const ATTEMPTS = 8;

/**
 * Returns the maximum milliseconds that this thread works without letting a timer run, like the event loop's
 * delay on an idle host. It's CPU time, because wall time would also count other work on the host. Other work
 * also affects caches and the clock rate, so each attempt is relative to a reference task that is measured
 * before and after it, and the minimum counts.
 */
export async function longestSlice(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= MOST_SLICE_MS; attempt++) {
    const before = yardMs();
    const slice = await sliceOf(work);
    least = Math.min(least, (slice * YARD_MS) / Math.max(YARD_MS, before, yardMs()));
  }
  return least;
}

function yardMs(): number {
  const before = process.threadCpuUsage();
  JSON.parse(YARD);
  return msSince(before);
}

async function sliceOf(work: () => unknown): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    longest = Math.max(longest, msSince(before));
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

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

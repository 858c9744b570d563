/**
 * Runs `work` in `concurrency` loops for `seconds`; returns calls per second and latency percentiles in ms.
 */
export async function measureLoad(
  work: () => Promise<void>,
  { concurrency, seconds }: { concurrency: number; seconds: number },
): Promise<{ perSecond: number; p50: number; p95: number; p99: number }> {
  const times: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  const loop = async () => {
    while (performance.now() < until) times.push(await timed(work));
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const elapsed = (performance.now() - started) / 1000;
  const at = (share: number) => percentile(times, share);
  return { perSecond: times.length / elapsed, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Returns how many milliseconds `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Returns how many milliseconds `count` sequential calls took. */
export async function timedEach(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await timed(() => work(index)));
  return times;
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

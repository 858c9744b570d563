import { lstat, type Stats } from 'node:fs';

/**
 * Number of concurrent calls: as many as libuv has threads in functions that check many files
 * (UV_THREADPOOL_SIZE in serverless.yml), because a call to EFS takes a millisecond. Node's default is four,
 * which is enough for a local disk; other calls wait in its queue.
 */
export const STATS_AT_ONCE = 64;

/**
 * Runs lstat on many paths, and returns the results in their order; undefined for an unreadable path. Uses callbacks,
 * because a promise per entry triples the cost, which matters with thousands of entries.
 */
export function statAll(paths: string[]): Promise<(Stats | undefined)[]> {
  if (paths.length === 0) return Promise.resolve([]);
  return new Promise((resolve) => {
    const found: (Stats | undefined)[] = new Array(paths.length);
    let next = 0;
    let left = paths.length;
    const step = () => {
      const index = next++;
      const path = paths[index];
      if (path === undefined) return;
      lstat(path, (error, stats) => {
        found[index] = error === null ? stats : undefined;
        if (--left === 0) resolve(found);
        else step();
      });
    };
    for (let started = 0; started < STATS_AT_ONCE; started++) step();
  });
}

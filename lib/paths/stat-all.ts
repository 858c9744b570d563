import { lstat, type Stats } from 'node:fs';

/**
 * Concurrent calls: as many as libuv has threads in the functions that look at many files (UV_THREADPOOL_SIZE in
 * serverless.yml), because a call of EFS takes a millisecond. Node's own default is four, which is enough for a local disk;
 * further calls wait in its queue.
 */
export const STATS_AT_ONCE = 64;

/**
 * Runs lstat on many paths, in their order; undefined for a path that can't be read. Uses callbacks, because a promise per
 * entry triples the cost, which matters with thousands of entries.
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

import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a service (`NODE_OPTIONS=--import`), appends to the file SLICES_FILE a line with the
 * milliseconds of CPU time of each slice: the work of the first thread before it let a timer run, which is
 * how long it delayed other requests.
 */
const { SLICES_FILE } = process.env;
const LOOK_EVERY_MS = 5;
const LEAST_MS = 10;

if (isMainThread && SLICES_FILE !== undefined) {
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    const slice = (user + system) / 1000;
    if (slice >= LEAST_MS) appendFileSync(SLICES_FILE, `${slice}\n`);
    before = process.threadCpuUsage();
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

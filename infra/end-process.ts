import { constants } from 'node:os';

/** For sockets and threads that are closing. */
const REST_MS = 500;

/**
 * Ends the process with `process.exitCode`: at once when nothing holds it, otherwise after half a second. `process.exit()` in
 * the middle of work may never return: it waits for V8's compiler threads, and one of them that needs a garbage collection waits
 * for this thread (nodejs/node#54918, nodejs/node#64274). After half a second without work they are done.
 */
export function endProcess(): void {
  setTimeout(() => process.exit(), REST_MS).unref();
}

/**
 * Ends the process immediately with the signal that it received, as if it had no listener: shells report 128 + its
 * number.
 */
export function endBySignal(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  return process.exit(128 + constants.signals[signal]); // the first process of a container survives its own signal
}

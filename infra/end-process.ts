import { constants } from 'node:os';

/** Milliseconds for sockets and threads that are closing. */
const REST_MS = 500;

/**
 * Ends the process with `process.exitCode`: immediately if nothing keeps it alive, otherwise after half a second.
 * `process.exit()` in the middle of work may never return, because it waits for V8's compiler threads, one of which may
 * wait for this thread to collect garbage (nodejs/node#54918, nodejs/node#64274). After half a second without work,
 * these threads are done.
 */
export function endProcess(): void {
  setTimeout(() => process.exit(), REST_MS).unref();
}

/**
 * Ends the process immediately with the signal that it received, as if the signal had no listener. Shells report 128 +
 * its number.
 */
export function endBySignal(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  return process.exit(128 + constants.signals[signal]); // The first process of a container survives its own signal.
}

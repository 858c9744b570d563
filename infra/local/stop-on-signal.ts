import { log } from '../../lib/log.ts';
import { endBySignal, endProcess } from '../end-process.ts';

/** Milliseconds for which requests and batches in progress may continue after the signal to stop. */
export const GRACE_MS = 10_000;
/**
 * Milliseconds for closing the embedder, threads, and files after the grace period, so that they can't block
 * the exit.
 */
const CLOSING_MS = 5_000;
/**
 * Milliseconds. Ctrl-C reaches the service twice: from the terminal, and from npm, which forwards it. Signals
 * this close together count as one.
 */
const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const LOOK_FOR_NPM_MS = 1_000;

type Reason = (typeof SIGNALS)[number];

/**
 * Runs `drain` on the first SIGTERM, SIGINT, or SIGHUP and exits with 0. A second signal, or a drain that takes longer
 * than the grace period, ends the process at once by that signal. `npm` is the npm process that started this one: the
 * end of npm counts as a first signal, because npm forwards neither SIGHUP nor SIGKILL.
 */
export function stopOnSignal(drain: () => Promise<void>, npm?: number): void {
  let firstAt: number | undefined;
  const stop = async (signal: Reason) => {
    firstAt = performance.now();
    setTimeout(() => {
      log.error('the service did not stop in time, and is ended', { afterMs: GRACE_MS + CLOSING_MS });
      endBySignal(signal);
    }, GRACE_MS + CLOSING_MS).unref();
    const failed = await drain().catch((error: unknown) => error ?? 'unknown');
    if (failed !== undefined) log.error('the service did not stop cleanly', {}, failed);
    process.exitCode = failed === undefined ? 0 : 1;
    endProcess();
  };
  const hear = (signal: Reason) => {
    if (firstAt === undefined) void stop(signal);
    else if (performance.now() - firstAt > SAME_SIGNAL_MS) endBySignal(signal);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  if (npm === undefined) return;
  setInterval(() => {
    if (process.ppid !== npm && firstAt === undefined) void stop('SIGHUP');
  }, LOOK_FOR_NPM_MS).unref();
}

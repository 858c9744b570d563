import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Verdict of recheck for a regular expression. */
export interface Verdict {
  status: 'safe' | 'vulnerable' | 'unknown';
  /** `2nd degree polynomial`, or the reason for an unknown verdict. */
  why: string;
  /** A text that takes long, as a JavaScript expression. */
  attack?: string;
}

interface Question {
  pattern: string;
  flags: string;
  timeoutMs: number;
}

/** Its attempts are limited by characters, not by time, so that it finds the same on a busy host. */
const STEADY = { attackTimeout: null, incubationTimeout: null, attackLimit: 100_000_000 };

/** The part of recheck's diagnostics that is used here. */
interface Diagnostics {
  status: Verdict['status'];
  complexity?: { summary: string };
  attack?: { pattern: string };
  error?: { kind: string };
}

export interface Checker {
  check(pattern: string, flags: string, timeoutMs: number): Promise<Verdict>;
  stop(): Promise<void>;
}

/** Result of a check: a verdict, or why there is none. Some patterns need more memory than a thread has. */
type Outcome = { verdict: Verdict } | { why: string };

/** Runs recheck in a separate thread, which is terminated if recheck's own time limit has no effect. */
export function startChecker(folder: string): Checker {
  const start = () => new Worker(new URL(import.meta.url), { workerData: folder });
  let worker = start();
  return {
    async check(pattern, flags, timeoutMs) {
      worker.postMessage({ pattern: withoutNames(pattern), flags, timeoutMs } satisfies Question);
      const late = new AbortController();
      const answer = once(worker, 'message', { signal: late.signal }).then(
        ([verdict]): Outcome => ({ verdict: verdict as Verdict }),
        ({ code }: { code?: string }): Outcome => ({ why: code ?? 'the thread failed' }),
      );
      const end = sleep(2 * timeoutMs, undefined, { signal: late.signal }).then(
        (): Outcome => ({ why: 'ended after twice its time' }),
        (): Outcome => ({ why: 'never read' }),
      );
      const outcome = await Promise.race([answer, end]);
      late.abort();
      if ('verdict' in outcome) return outcome.verdict;
      await worker.terminate();
      worker = start();
      return { status: 'unknown', why: outcome.why };
    },
    stop: async () => void (await worker.terminate()),
  };
}

/**
 * Recheck doesn't support duplicate group names in alternatives. A group without its name matches the same
 * text.
 */
function withoutNames(pattern: string): string {
  return pattern.includes('\\k<') ? pattern : pattern.replace(/\(\?<(?![=!])\w+>/g, '(');
}

if (!isMainThread && parentPort !== null) {
  const load = createRequire(`${workerData as string}/`);
  const { checkSync } = load('recheck/lib/browser.js') as {
    checkSync(pattern: string, flags: string, options: Record<string, number | null>): Diagnostics;
  };
  parentPort.on('message', ({ pattern, flags, timeoutMs }: Question) => {
    const { status, complexity, error, attack } = checkSync(pattern, flags, {
      ...STEADY,
      timeout: timeoutMs,
    });
    const why = complexity?.summary ?? error?.kind ?? '';
    parentPort?.postMessage({ status, why, attack: attack?.pattern } satisfies Verdict);
  });
}

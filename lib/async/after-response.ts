import { log } from '../log.ts';
import { withTimeout } from './with-timeout.ts';

/**
 * Background work that must finish before Lambda freezes the instance, which happens as soon as the response ends (compare
 * `waitUntil`). The entry points (lib/http, lib/queue) wait for it after they have sent the response.
 */
const underWay = new Set<Promise<void>>();

export function waitUntil(what: string, work: Promise<unknown>): void {
  const ended = work.then(
    () => {},
    (error: unknown) => log.error(`${what} failed after the response`, {}, error),
  );
  underWay.add(ended);
  void ended.then(() => underWay.delete(ended));
}

/** In milliseconds. A store that hangs must not delay the instance for long after the response. */
const PATIENCE_MS = 3000;

/** Resolves when all current background work has finished, or after three seconds, or `timeLeftMs`. */
export async function backgroundWorkDone(timeLeftMs = PATIENCE_MS): Promise<void> {
  if (underWay.size === 0) return;
  const patienceMs = Math.max(0, Math.min(PATIENCE_MS, timeLeftMs));
  await withTimeout(patienceMs, () => Promise.all(underWay));
}

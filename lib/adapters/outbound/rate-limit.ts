import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelEvent } from '../../ports/language-model.ts';
import { readRefusal } from './refusal.ts';
import { causeOf, secondsToWait } from './refusal-cause.ts';

/** Maximum attempts: as many as the SDKs make. Their waits can't be shown to the reader. */
const TRIES = 3;
/**
 * Maximum seconds to wait for an answer to start. For a longer wait, the user gets an error that states the
 * time.
 */
const MAX_WAIT_SECONDS = 60;
/** In seconds. Shorter pauses aren't reported. */
const MIN_TOLD_SECONDS = 2;

/**
 * Opens a stream. At the provider's rate limit, waits as long as the provider asks. Each longer wait is an
 * event that tells the reader the reason. Throws the errors of `open`, and the signal's reason.
 */
export async function* openWithinLimit<Opened>(
  open: () => Promise<Opened>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Opened> {
  for (let tried = 1; ; tried++) {
    try {
      return await open();
    } catch (error) {
      const seconds = pauseAfter(error, tried);
      if (seconds === undefined || tried === TRIES || signal.aborted) throw error;
      if (seconds >= MIN_TOLD_SECONDS) yield { type: 'rate-limited', seconds: Math.ceil(seconds) };
      await sleep(seconds * 1000, undefined, { signal });
    }
  }
}

/** Returns the pause; undefined if it's too long, or for any other failure. */
function pauseAfter(error: unknown, tried: number): number | undefined {
  const refusal = readRefusal(error);
  if (refusal === undefined || causeOf(refusal) !== 'model_rate_limited') return undefined;
  const seconds = secondsToWait(refusal) ?? tried;
  return seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
}

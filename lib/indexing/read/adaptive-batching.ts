import type { Embedder } from '../../ports/embedder.ts';

/** The number of texts to send to an embedder at once, learned from its speed. */
export interface Pace {
  /** Texts per call. */
  batch: number;
  /** Concurrent calls. */
  atOnce: number;
  /** Milliseconds per text in the latest call; 0 before the first. */
  msPerText: number;
}

/**
 * The number of texts in the first call: few enough for a model on a laptop's processor, which embeds 5 to 10
 * texts per second.
 */
const FIRST_BATCH = 8;
const MOST_AT_ONCE = 4;
const GROWTH = 4;
/**
 * In milliseconds. After a faster response, the next call is larger, and after a slower one, it is smaller,
 * so calls take about this long.
 */
const QUICK_MS = 1200;
const AIM_MS = 5000;
const SLOW_MS = 10_000;

/** A call counts as lost after this multiple of the usual duration, but not before the minimum below. */
const LOST_AFTER_TIMES = 20;
const LOST_AFTER_MS = 10_000;

const paces = new Map<string, Pace>();

/**
 * Returns the measured speed of the embedding service in this process, by model, because each message creates a new
 * adapter.
 */
export function paceOf({ model }: Embedder): Pace {
  const pace = paces.get(model) ?? { batch: FIRST_BATCH, atOnce: 1, msPerText: 0 };
  paces.set(model, pace);
  return pace;
}

/**
 * First increases the batch size, then the number of concurrent calls, because concurrent calls to a slow embedder
 * would only wait.
 */
export function learnPace(pace: Pace, { batchSize }: Embedder, call: { texts: number; ms: number }): void {
  const { texts, ms } = call;
  pace.msPerText = ms / texts;
  if (ms > SLOW_MS) {
    pace.batch = Math.max(1, Math.min(pace.batch, Math.floor((texts * AIM_MS) / ms)));
    pace.atOnce = Math.max(1, pace.atOnce - 1);
  } else if (ms < QUICK_MS && texts >= Math.min(pace.batch, batchSize)) {
    if (pace.batch < batchSize) pace.batch = Math.min(batchSize, pace.batch * GROWTH);
    else pace.atOnce = Math.min(MOST_AT_ONCE, pace.atOnce + 1);
  }
}

/** Returns the number of texts for the next call so that it takes at most half of the remaining time; 0 for none. */
export function nextBatch({ batch, msPerText }: Pace, leftMs: number): number {
  if (leftMs <= 0) return 0;
  return msPerText === 0 ? batch : Math.min(batch, Math.floor(leftMs / 2 / msPerText));
}

/**
 * Returns the milliseconds after which a call counts as lost and is repeated once. A call that hangs would
 * otherwise block its slot for minutes. Undefined while the embedder's speed is unknown.
 */
export function lostAfter({ msPerText }: Pace, texts: number, leastMs = LOST_AFTER_MS): number | undefined {
  return msPerText === 0 ? undefined : Math.ceil(Math.max(leastMs, LOST_AFTER_TIMES * msPerText * texts));
}

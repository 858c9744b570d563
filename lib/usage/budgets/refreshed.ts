import { waitUntil } from '../../async/after-response.ts';

/** In milliseconds. An older value is refreshed in the background. */
const FRESH_MS = 2000;
/**
 * In milliseconds. The refresh of an older value is awaited, because a process that slept doesn't know what
 * others did.
 */
const STALE_MS = 10_000;

export interface Refreshed<Value> {
  value: Value | undefined;
  /** When the read that returned the value started, by performance.now(). */
  readAt: number;
  reading: Promise<Value> | undefined;
}

export function neverRead<Value>(): Refreshed<Value> {
  return { value: undefined, readAt: Number.NEGATIVE_INFINITY, reading: undefined };
}

/**
 * Returns the value as this process knows it, at most ten seconds old. Waits only if the value is older than
 * that.
 */
export function refreshed<Value>(
  known: Refreshed<Value>,
  read: () => Promise<Value>,
): Value | Promise<Value> {
  const age = performance.now() - known.readAt;
  if (known.value !== undefined && age < FRESH_MS) return known.value;
  const reading = known.reading ?? readAgain(known, read);
  if (known.value === undefined || age > STALE_MS) return reading;
  waitUntil('reading budgets', reading);
  return known.value;
}

async function readAgain<Value>(known: Refreshed<Value>, read: () => Promise<Value>): Promise<Value> {
  const beganAt = performance.now();
  known.reading = read();
  try {
    known.value = await known.reading;
    known.readAt = beganAt;
    return known.value;
  } finally {
    known.reading = undefined;
  }
}

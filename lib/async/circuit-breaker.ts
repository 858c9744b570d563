import { OverBudget, UpstreamFailed } from '../errors.ts';
import { log } from '../log.ts';

/** Milliseconds for which a service isn't called after a failure. Each further failure doubles them. */
const FIRST_REST_MS = 5000;
const LONGEST_REST_MS = 60_000;
/** The maximum number of remembered services. There are few model names. */
const MOST_KNOWN = 100;

interface Rest {
  until: number;
  ms: number;
  /** True while one caller is checking whether the service works again. */
  probing: boolean;
}

/** Returns milliseconds since the epoch. */
interface Clock {
  now(): number;
}

interface Service {
  /** The service's name in this process. */
  name: string;
  clock: Clock;
  /** The log message for a failure. */
  failure: string;
  /** True if a refused request also counts as a failure of the service. */
  restsWhenRefused?: boolean;
}

const rests = new Map<string, Rest>();

/**
 * Calls a service unless it failed recently (circuit breaker). Returns undefined at once if it did, and also
 * if this call fails or times out. After the rest period, one caller tries the service; the others return
 * undefined in the meantime. A refused request also returns undefined but doesn't open the circuit, so that
 * one caller's request doesn't affect the others.
 */
export async function withCircuitBreaker<Answer>(
  { name, clock, failure, restsWhenRefused = false }: Service,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const rest = rests.get(name);
  if (rest?.probing || clock.now() < (rest?.until ?? 0)) return undefined;
  if (rest !== undefined) rest.probing = true;
  let refused = false;
  const answer = await ask().catch((error: Error) => {
    log.warn(failure, { reason: error.message });
    refused = tellsNothingOf(error, restsWhenRefused);
    return undefined;
  });
  if (rest !== undefined) rest.probing = false;
  if (answer !== undefined) rests.delete(name);
  // Concurrent failures count once.
  else if (!refused && rests.get(name) === rest) restAgain(name, clock, rest);
  return answer;
}

/** Returns whether the error says nothing about the service: it wasn't called at all, or it refused the request. */
function tellsNothingOf(error: Error, restsWhenRefused: boolean): boolean {
  if (error instanceof OverBudget) return true;
  return !restsWhenRefused && error instanceof UpstreamFailed && error.refusedRequest;
}

function restAgain(name: string, clock: Clock, before: Rest | undefined): void {
  const ms = before === undefined ? FIRST_REST_MS : Math.min(before.ms * 2, LONGEST_REST_MS);
  if (rests.size >= MOST_KNOWN) rests.clear();
  rests.set(name, { until: clock.now() + ms, ms, probing: false });
}

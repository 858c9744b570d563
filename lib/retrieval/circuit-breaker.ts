import { OverBudget, UpstreamFailed } from '../errors.ts';
import { log } from '../log.ts';
import type { Clock } from '../ports/clock.ts';

/** How long nobody asks after a failure; twice as long after each further one. */
const FIRST_REST_MS = 5000;
const LONGEST_REST_MS = 60_000;
/** Names of models are few. */
const MOST_KNOWN = 100;

interface Rest {
  until: number;
  ms: number;
  /** Somebody finds out whether it works again. */
  probing: boolean;
}

interface Service {
  /** Its name in this process. */
  name: string;
  clock: Clock;
  /** What the log says when it fails. */
  failure: string;
  /** A request that it refuses tells of the service, too. */
  restsWhenRefused?: boolean;
}

const rests = new Map<string, Rest>();

/**
 * Asks a service unless it failed a moment ago: then the answer is undefined at once, as it is when it fails now, by an
 * error or without an answer. When its rest is over one caller tries it, and the others do not wait for that. A request
 * that it refuses has no answer either, but does not put it to rest: others need not suffer from what one asks.
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
  else if (!refused && rests.get(name) === rest) restAgain(name, clock, rest); // of several that failed together one counts
  return answer;
}

/** Whether the error says nothing about the service: it was not asked at all, or it refused what it was asked. */
function tellsNothingOf(error: Error, restsWhenRefused: boolean): boolean {
  if (error instanceof OverBudget) return true;
  return !restsWhenRefused && error instanceof UpstreamFailed && error.refusedRequest;
}

function restAgain(name: string, clock: Clock, before: Rest | undefined): void {
  const ms = before === undefined ? FIRST_REST_MS : Math.min(before.ms * 2, LONGEST_REST_MS);
  if (rests.size >= MOST_KNOWN) rests.clear();
  rests.set(name, { until: clock.now() + ms, ms, probing: false });
}

import { UpstreamFailed } from '../errors.ts';
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

const rests = new Map<string, Rest>();

/**
 * Asks a service, by its name in this process, unless it failed a moment ago: then the answer is undefined at once, as
 * it is after a failure. When its rest is over one caller tries it, and the others do not wait for that.
 */
export async function askUnlessResting<Answer>(
  name: string,
  clock: Clock,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const rest = rests.get(name);
  if (rest?.probing || clock.now() < (rest?.until ?? 0)) return undefined;
  if (rest !== undefined) rest.probing = true;
  const answer = await ask().finally(() => {
    if (rest !== undefined) rest.probing = false;
  });
  if (answer !== undefined) rests.delete(name);
  else if (rests.get(name) === rest) restAgain(name, clock, rest); // of several that failed together one counts
  return answer;
}

/** By a service that answers other requests: what one caller asks must not put it to rest for all. */
export function refusesRequest(error: unknown): error is UpstreamFailed {
  return error instanceof UpstreamFailed && error.refusedRequest;
}

function restAgain(name: string, clock: Clock, before: Rest | undefined): void {
  const ms = before === undefined ? FIRST_REST_MS : Math.min(before.ms * 2, LONGEST_REST_MS);
  if (rests.size >= MOST_KNOWN) rests.clear();
  rests.set(name, { until: clock.now() + ms, ms, probing: false });
}

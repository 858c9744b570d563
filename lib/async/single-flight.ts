interface Flight<Result> {
  result: Promise<Result>;
  controller: AbortController;
  callers: number;
}

type SingleFlight<Result> = (
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/**
 * Deduplicates concurrent calls with the same key: later callers share the work in progress (single flight). The signal
 * of the work is aborted when no caller is left. Each caller rejects with the reason of its own signal.
 */
export function singleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();
  return async (key, signal, work) => {
    signal.throwIfAborted();
    const flight = flights.get(key) ?? takeOff(flights, key, work);
    flight.callers += 1;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([flight.result, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      flight.callers -= 1;
      if (flight.callers === 0) land(flights, key, flight);
    }
  };
}

function takeOff<Result>(
  flights: Map<string, Flight<Result>>,
  key: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Flight<Result> {
  const controller = new AbortController();
  const flight = { result: work(controller.signal), controller, callers: 0 };
  flights.set(key, flight);
  flight.result.catch(() => undefined); // callers handle the rejection
  return flight;
}

/** Aborts work that no caller waits for. The next caller starts the work again. */
function land<Result>(flights: Map<string, Flight<Result>>, key: string, flight: Flight<Result>): void {
  if (flights.get(key) === flight) flights.delete(key);
  flight.controller.abort();
}

import { ApiError } from '../../api/client.ts';

const TRIES = 8;
const PAUSE_MS = 2_000;

interface Line {
  signal: AbortSignal;
  /** Called when the service becomes unreachable, and when it's reachable again. */
  onCut: (isCut: boolean) => void;
}

/**
 * Retries if the service was unreachable. A browser without a network waits for the network as long as
 * needed.
 */
export async function overLostLines<Result>(
  { signal, onCut }: Line,
  send: () => Promise<Result>,
): Promise<Result> {
  for (let tried = 1, isCut = false; ; isCut = true) {
    try {
      const result = await send();
      if (isCut) onCut(false);
      return result;
    } catch (error) {
      const isLost = error instanceof ApiError && error.status === 0;
      if (!isLost || tried === TRIES || signal.aborted) throw error;
    }
    onCut(true);
    await pause(PAUSE_MS * tried, signal);
    if (navigator.onLine) tried++;
  }
}

/** Pauses; ends early when the network is back. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const end = (settle: () => void) => () => {
      ended.abort();
      clearTimeout(timer);
      settle();
    };
    const timer = setTimeout(end(resolve), ms);
    addEventListener('online', end(resolve), { signal: ended.signal });
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason)),
      { signal: ended.signal },
    );
    if (signal.aborted) end(() => reject(signal.reason))();
  });
}

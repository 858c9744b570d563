import { UpstreamFailed } from '../../errors.ts';
import type { ModelRequest } from '../../ports/language-model.ts';

/**
 * This process's calls to each self-hosted server. Most servers handle one call at a time, so a title or a
 * judgment requested during an answer would only slow it down. Such calls wait for answers, and for each
 * other; answers wait for them, but not for other answers, which the server queues itself. No call waits for
 * long, because the server may handle several at once, which shows when two calls overlap.
 */
interface Server {
  running: Set<Running>;
  waiting: { isLive: boolean; wake: () => void }[];
  isParallel: boolean;
}

interface Running {
  isLive: boolean;
  hasSaid: boolean;
  isAbandoned: () => boolean;
  stop: (reason: UpstreamFailed) => void;
}

export interface Slot {
  /** Reports that part of the answer has arrived. */
  answers(): void;
  /** Returns the error if the call was stopped for another one. */
  stopped(): UpstreamFailed | undefined;
  free(): void;
}

const LIVE_WAIT_MS = 5000;
const WHOLE_WAIT_MS = 30_000;

const servers = new Map<string, Server>();

/**
 * Waits for a call's turn. `stop` ends the running call if its reader has left and another call waits. Throws
 * the signal's reason.
 */
export async function takeSlot(
  baseUrl: string,
  { reader, signal, isAbandoned = () => false }: ModelRequest,
  stop: (reason: UpstreamFailed) => void,
): Promise<Slot> {
  const server = servers.get(baseUrl) ?? { running: new Set(), waiting: [], isParallel: false };
  servers.set(baseUrl, server);
  const isLive = reader !== 'whole';
  if (isBusy(server, isLive)) await waitForTurn(server, isLive, signal);
  signal?.throwIfAborted();
  if (isLive && !server.isParallel) stopAbandoned(server);
  let reason: UpstreamFailed | undefined;
  const running: Running = {
    ...{ isLive, hasSaid: false, isAbandoned },
    stop(why) {
      reason = why;
      stop(why);
    },
  };
  server.running.add(running);
  return {
    answers() {
      running.hasSaid = true;
      if (server.isParallel || [...server.running].filter(({ hasSaid }) => hasSaid).length < 2) return;
      server.isParallel = true;
      for (const { wake } of server.waiting) wake();
    },
    stopped: () => reason,
    free() {
      server.running.delete(running);
      wakeNext(server);
    },
  };
}

function isBusy({ running, isParallel }: Server, isLive: boolean): boolean {
  return !isParallel && [...running].some((call) => !isLive || !call.isLive || call.isAbandoned());
}

async function waitForTurn(server: Server, isLive: boolean, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiter = { isLive, wake: resolve };
  server.waiting.push(waiter);
  const timer = setTimeout(resolve, isLive ? LIVE_WAIT_MS : WHOLE_WAIT_MS);
  signal?.addEventListener('abort', resolve as () => void, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', resolve as () => void);
  server.waiting = server.waiting.filter((other) => other !== waiter);
  if (signal?.aborted) wakeNext(server); // another call gets the turn
}

function wakeNext({ waiting, running }: Server): void {
  const readers = waiting.filter(({ isLive }) => isLive);
  for (const { wake } of readers) wake();
  if (readers.length === 0 && running.size === 0) waiting[0]?.wake();
}

/** Stops the running call if its reader has left and a person waits for the only slot. */
function stopAbandoned({ running }: Server): void {
  for (const call of running) if (call.isAbandoned()) call.stop(abandoned());
}

function abandoned(): UpstreamFailed {
  const text =
    'The answer was stopped: its reader had left, and another question needed the model. Try again.';
  return new UpstreamFailed('model_interrupted', text);
}

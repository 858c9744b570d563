import { EventEmitter } from 'node:events';

const signals = new EventEmitter().setMaxListeners(0);

/** Notifies followers in this process that a run has new events or another status. */
export function tellFollowers(runId: string): void {
  signals.emit(runId);
}

/** Returns true if a follower in this process waits for events of a run. */
export function hasFollowers(runId: string): boolean {
  return signals.listenerCount(runId) > 0;
}

/** Starts listening before polling, so that no signal is missed between polling and waiting. */
export function listenFor(runId: string) {
  const heard = Promise.withResolvers<void>();
  const hear = () => heard.resolve();
  signals.once(runId, hear);
  return {
    stop: () => void signals.off(runId, hear),
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      const timer = setTimeout(hear, milliseconds);
      signal.addEventListener('abort', hear, { once: true });
      if (signal.aborted) hear();
      await heard.promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', hear);
    },
  };
}

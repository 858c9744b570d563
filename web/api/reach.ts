import { useSyncExternalStore } from 'react';
import { untilWoken } from './until-woken.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5_000;
const PATIENCE_MS = 5_000;

let waiting: Promise<void> | undefined;
let cards = 0;
let wake = () => {};
const listeners = new Set<() => void>();

/**
 * Returns whether this page could be loaded now. A proxy may respond with an error while the service is down.
 */
export function isReached(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Waits until the service is reachable again. All callers that wait share the requests. */
export function untilReached(): Promise<void> {
  waiting ??= poll().finally(() => {
    waiting = undefined;
    tell();
  });
  tell();
  return waiting;
}

/** Retries immediately, for a person who doesn't want to wait. */
export function tryNow(): void {
  wake();
}

/** Returns whether something waits for the service. */
export function useIsAwaited(): boolean {
  return useSyncExternalStore(subscribe, () => waiting !== undefined);
}

/**
 * Registers a message on the page that already reports an unreachable service, so that the banner doesn't
 * repeat it. Returns a function that removes it.
 */
export function showsUnreached(): () => void {
  cards++;
  tell();
  return () => {
    cards--;
    tell();
  };
}

export function useIsUnreachedShown(): boolean {
  return useSyncExternalStore(subscribe, () => cards > 0);
}

async function poll(): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; !(await isReached()); pause = Math.min(MAX_PAUSE_MS, pause * 1.5)) {
    const woken = new AbortController();
    wake = () => woken.abort();
    await untilWoken(pause, woken.signal);
  }
}

function subscribe(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

function tell(): void {
  for (const told of listeners) told();
}

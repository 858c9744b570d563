import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds, far below the longest acceptable delay of another request. */
const TURN_MS = 10;

/**
 * Returns a function to await between pieces of work, which lets the event loop run every few milliseconds. Promises
 * alone don't, because work whose input is available continues in microtasks, before any other request is handled.
 */
export function shareThread(): () => Promise<void> {
  let turn = Number.NEGATIVE_INFINITY; // earlier work is unknown
  return async () => {
    while (performance.now() - turn >= TURN_MS) {
      const before = turn;
      await nextTurn();
      // One of several waiting callers works in this turn. The others then wait again.
      if (turn === before) turn = performance.now();
    }
  };
}

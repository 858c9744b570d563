import { setImmediate as nextTurn } from 'node:timers/promises';

/** In milliseconds: far less than any request may be delayed. */
const TURN_MS = 10;

/**
 * Returns a function to await between pieces of work, so that the event loop runs every few milliseconds.
 * Promises alone don't let it run: work whose input is available continues in microtasks, before any other
 * request is handled.
 */
export function shareThread(): () => Promise<void> {
  let turn = Number.NEGATIVE_INFINITY; // how long earlier work took is unknown
  return async () => {
    while (performance.now() - turn >= TURN_MS) {
      const before = turn;
      await nextTurn();
      // Of several waiting callers, one works in this turn, and the others wait again.
      if (turn === before) turn = performance.now();
    }
  };
}

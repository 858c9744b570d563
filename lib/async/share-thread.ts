import { setImmediate as nextTurn } from 'node:timers/promises';

/** Far below the time that another request may have to wait. */
const TURN_MS = 10;

/**
 * Returns a function to await between pieces of work: it lets the event loop run every few milliseconds. Promises alone don't:
 * work whose input is already there continues in microtasks, before any other request is answered.
 */
export function shareThread(): () => Promise<void> {
  let turn = Number.NEGATIVE_INFINITY; // what was done before isn't known
  return async () => {
    while (performance.now() - turn >= TURN_MS) {
      const before = turn;
      await nextTurn();
      // Of several that waited, one works in this turn; after it, the others wait again.
      if (turn === before) turn = performance.now();
    }
  };
}

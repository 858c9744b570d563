import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';

/**
 * Advances the timeouts and intervals of the tested code only by `jest.advanceTimersByTime`, however busy the
 * host is; everything else continues. `jest.useRealTimers()` ends it.
 */
export function stopTimers(): void {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'performance',
      'nextTick',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
    ],
  });
}

/** Lets pending work finish: several rounds of the event loop. */
export async function turns(count = 50): Promise<void> {
  for (let n = 0; n < count; n++) await turn();
}

/** Lets `milliseconds` pass at each signal, until the promise is settled. */
export async function passAtEach(
  given: () => number,
  milliseconds: number,
  pending: Promise<unknown>,
): Promise<void> {
  let seen = given();
  let over = false;
  const end = () => {
    over = true;
  };
  pending.then(end, end);
  for (; !over; await sleep(5)) {
    if (given() === seen) continue;
    seen += 1;
    jest.advanceTimersByTime(milliseconds);
  }
}

export interface Coalesced<Value> {
  offer(value: Value): void;
  /** Shows what waits without a rest; resolves when the newest is shown. */
  flush(): Promise<void>;
}

/**
 * Shows the newest of many values, one at a time and each after a rest: what comes meanwhile replaces what waits. `show`
 * must not throw.
 */
export function coalesce<Value>(show: (value: Value) => Promise<void>, restMs: number): Coalesced<Value> {
  let waiting: { value: Value } | undefined;
  let showing: Promise<void> | undefined;
  let hurry = Promise.withResolvers<void>();

  async function showAll(): Promise<void> {
    while (waiting !== undefined) {
      await rest(restMs, hurry.promise);
      const { value } = waiting;
      waiting = undefined;
      await show(value);
    }
    showing = undefined; // not in a `finally` behind it: what is offered before that ran would never be shown
  }

  return {
    offer(value) {
      waiting = { value };
      showing ??= showAll();
    },
    async flush() {
      hurry.resolve();
      await showing;
      hurry = Promise.withResolvers();
    },
  };
}

async function rest(milliseconds: number, hurried: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, hurried]);
  clearTimeout(timer);
}

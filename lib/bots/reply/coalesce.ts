export interface Coalesced<Value> {
  offer(value: Value): void;
  /** Drops the waiting value. Resolves once no value is being shown. */
  stop(): Promise<void>;
}

/**
 * Shows the newest of many values, one at a time, with a pause after each. A newer value replaces the one
 * that waits. The caller stops this, then shows the last value itself. `show` must not throw.
 */
export function coalesce<Value>(show: (value: Value) => Promise<void>, restMs: number): Coalesced<Value> {
  let waiting: { value: Value } | undefined;
  let showing: Promise<void> | undefined;
  const stopped = Promise.withResolvers<void>();

  async function showAll(): Promise<void> {
    while (waiting !== undefined) {
      await rest(restMs, stopped.promise);
      const next = waiting;
      waiting = undefined;
      if (next !== undefined) await show(next.value);
    }
    showing = undefined; // not in a later `finally`, because a value offered before that would never be shown
  }

  return {
    offer(value) {
      waiting = { value };
      showing ??= showAll();
    },
    async stop() {
      waiting = undefined;
      stopped.resolve();
      await showing;
    },
  };
}

async function rest(milliseconds: number, stopped: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, stopped]);
  clearTimeout(timer);
}

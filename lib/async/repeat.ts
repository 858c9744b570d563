/** A call of the store that takes longer is not waited for: the next is made beside it. */
const PATIENCE_MS = 10_000;

/** Works at each beat, unless the one before is under way and may still end well. Never throws: `tell` hears what did. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  tell: (error: unknown) => void,
): NodeJS.Timeout {
  let current: Promise<void> | undefined;
  let waitedMs = 0;
  return setInterval(() => {
    waitedMs += everyMs;
    if (current !== undefined && waitedMs < PATIENCE_MS) return;
    waitedMs = 0;
    const mine = work()
      .catch(tell)
      .finally(() => {
        if (current === mine) current = undefined;
      });
    current = mine;
  }, everyMs);
}

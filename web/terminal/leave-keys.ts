/** Milliseconds in which Tab must follow Escape. */
const WITHIN_MS = 2_000;

/**
 * Returns a key handler for a terminal, which uses Tab itself. Tab after Escape moves the focus out of the
 * terminal. The handler returns false for a key that the terminal must not get.
 */
export function leaveKeys(now: () => number = () => performance.now()) {
  let escapedAt = Number.NEGATIVE_INFINITY;
  return ({ type, key }: { type: string; key: string }): boolean => {
    if (type !== 'keydown' || key === 'Shift') return true;
    const leaves = key === 'Tab' && now() - escapedAt < WITHIN_MS;
    escapedAt = key === 'Escape' ? now() : Number.NEGATIVE_INFINITY;
    return !leaves;
  };
}

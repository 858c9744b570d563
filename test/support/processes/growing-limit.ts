const LIMITS_MS = [500, 5000, 40_000];

/**
 * Gives something a time limit that it must reach: a short one and, as long as it was cut off before it reported anything, a
 * longer one. So the test is quick, and a slow host does no harm.
 */
export async function withGrowingLimit<Result>(
  run: (timeoutMs: number) => Promise<Result>,
  hasBegun: (result: Result) => boolean,
): Promise<Result> {
  const [first = 0, ...longer] = LIMITS_MS;
  let result = await run(first);
  for (const timeoutMs of longer) {
    if (hasBegun(result)) break;
    result = await run(timeoutMs);
  }
  return result;
}

const LIMITS_MS = [500, 5000, 40_000];

/**
 * Sets a time limit that must be reached: first a short one and then, as long as it expired before any
 * output, a longer one. So the test is fast, but also works on a slow host.
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

const tails = new Map<string, Promise<unknown>>();

/**
 * One change at a time of one path within this thread. Between threads (the upload worker) and processes nothing is locked:
 * there every single write is still atomic, but of two writers with the same expectedHash both may win.
 */
export async function withPathLock<Result>(location: string, work: () => Promise<Result>): Promise<Result> {
  const before = tails.get(location) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(location, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(location) === mine) tails.delete(location);
  }
}

/** Several paths at once, always taken in the same order, so that two moves never wait for each other. */
export async function withPathLocks<Result>(
  locations: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const [first, ...rest] = [...new Set(locations)].sort();
  if (first === undefined) return work();
  return withPathLock(first, () => withPathLocks(rest, work));
}

const tails = new Map<string, Promise<unknown>>();

/**
 * Serializes changes of one path, in any Unicode form, within this thread. Other threads (the upload worker)
 * and processes aren't locked: every write is still atomic, but two writers with the same expectedHash may
 * both succeed.
 */
export async function withPathLock<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  const location = place.normalize('NFC');
  const before = tails.get(location) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(location, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(location) === mine) tails.delete(location);
  }
}

/** Locks several paths, always in the same order, so that two moves can't deadlock. */
export async function withPathLocks<Result>(
  locations: string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const [first, ...rest] = [...new Set(locations.map((location) => location.normalize('NFC')))].sort();
  if (first === undefined) return work();
  return withPathLock(first, () => withPathLocks(rest, work));
}

const tails = new Map<string, Promise<unknown>>();

/**
 * One change at a time of one path within this process. Between processes nothing is locked: there every single write
 * is still atomic, but of two writers with the same expectedHash both may win.
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

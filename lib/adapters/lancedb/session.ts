import { readdir, readlink } from 'node:fs/promises';
import { type Lance, loadLance } from './load.ts';

export type Session = InstanceType<Lance['Session']>;

/**
 * Each commit adds 0.1 MB of manifests and file headers that no later search uses, in each thread, until the
 * cache is full. Searches over 100,000 files are as fast with 8 MB as with 64.
 */
const METADATA_CACHE_BYTES = 8n * 1024n * 1024n;
const DESCRIPTORS = '/proc/self/fd';

let current: { session: Session; checkedAt: number } | undefined;

/**
 * Returns the session of this process's tables, with its caches. LanceDB's default caches would take up to 7
 * GB. A session keeps each index part that it has searched open, two more after each maintenance, and can't
 * close removed ones. So a session that holds removed files is replaced after a while, and garbage collection
 * closes the files of the former one.
 */
export async function currentSession(cacheBytes: number, checkEveryMs: number): Promise<Session> {
  const { Session } = await loadLance();
  const now = performance.now();
  const known = current;
  if (known !== undefined && now - known.checkedAt < checkEveryMs) return known.session;
  if (known !== undefined) {
    known.checkedAt = now;
    if (!(await holdsRemovedFiles())) return known.session;
  }
  current = { session: new Session(BigInt(cacheBytes), METADATA_CACHE_BYTES), checkedAt: now };
  return current.session;
}

/** Returns whether this process still has deleted table files open. Returns true if the system can't tell. */
async function holdsRemovedFiles(): Promise<boolean> {
  const names = await readdir(DESCRIPTORS).catch(() => undefined);
  if (names === undefined) return true;
  const targets = await Promise.all(names.map((name) => readlink(`${DESCRIPTORS}/${name}`).catch(() => '')));
  return targets.some((target) => target.includes('.lance/') && target.endsWith(' (deleted)'));
}

import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { completeAsOf, folderLooks, type IndexState, type Sync, syncs } from '../schema.ts';
import { folderWatches, type StoredWatch, type Watcher, watcherLeases, watchers } from './schema.ts';

/** Milliseconds within which the watcher notices a change. */
export const NOTICED_MS = 2_000;

/**
 * Returns how the folder is watched, and the time up to which all its changes are indexed: that of the latest
 * complete look or sync or, while the folder is watched, that of the watcher's last heartbeat. No waiting
 * change is earlier.
 */
export async function readFreshness(
  { records, clock }: TimedRecords,
  workspaceId: string,
  { sync, waitingSince }: { sync: Sync | undefined; waitingSince: number },
): Promise<Pick<IndexState, 'watching' | 'asOf'>> {
  const [look, watch, watcher] = await Promise.all([
    folderLooks.get(records, { workspaceId }),
    folderWatches.get(records, { workspaceId }),
    watchers.get(records, { id: 'watcher' }),
  ]);
  const complete = comparedAt(sync, look);
  const asOf =
    complete === 0 ? 0 : Math.min(Math.max(complete, knownUpTo(watch, watcher, complete)), waitingSince);
  const isWatched = watcher !== undefined && watcherLeases.isHeld(watcher, clock);
  return {
    watching: isWatched && watch?.watcher === watcher.owner ? watch.watching : 'off',
    asOf: asOf === 0 ? null : new Date(asOf).toISOString(),
  };
}

/**
 * Returns the time up to which the folder is indexed, regardless of the watcher's current state, in
 * milliseconds; 0 if it never was.
 */
export async function readCompleteUpTo(records: Records, workspaceId: string): Promise<number> {
  const [sync, look, watch] = await Promise.all([
    syncs.get(records, { workspaceId }),
    folderLooks.get(records, { workspaceId }),
    folderWatches.get(records, { workspaceId }),
  ]);
  return Math.max(comparedAt(sync, look), watch?.upTo ?? 0);
}

/** Returns the time up to which the folder was indexed when its watch ended, in milliseconds; null if unknown. */
export async function readEndOfWatch(records: Records, workspaceId: string): Promise<number | null> {
  const [sync, look, watch, watcher] = await Promise.all([
    syncs.get(records, { workspaceId }),
    folderLooks.get(records, { workspaceId }),
    folderWatches.get(records, { workspaceId }),
    watchers.get(records, { id: 'watcher' }),
  ]);
  return knownUpTo(watch, watcher, comparedAt(sync, look)) || null;
}

/** Returns when the latest complete look or sync started, in milliseconds; 0 if there was none. */
export function comparedAt(sync: Sync | undefined, look: { startedAt: number } | undefined): number {
  const synced = sync && completeAsOf(sync);
  return Math.max(synced ? Date.parse(synced) : 0, look?.startedAt ?? 0);
}

/** Returns the time up to which the watcher has reported everything; 0 if unknown. */
function knownUpTo(watch: StoredWatch | undefined, watcher: Watcher | undefined, complete: number): number {
  if (watch === undefined) return 0;
  const beatAt = [watcher, watcher?.former].find((each) => each?.owner === watch.watcher)?.beatAt;
  const isKept = watch.watching === 'live' && complete >= watch.since && beatAt !== undefined;
  const upTo = watch.upTo ?? 0;
  if (!isKept) return upTo;
  return Math.max(upTo, Math.min(watch.pendingSince ?? Number.POSITIVE_INFINITY, beatAt - NOTICED_MS));
}

import * as z from 'zod';
import { leasesOf } from '../../leases/lease.ts';
import { collection } from '../../records/collection.ts';
import { indexStateSchema } from '../schema.ts';

const time = z.number().int();

/**
 * How a workspace's folder is watched, as last written by the service's watcher. Times are in milliseconds.
 * Valid while `watcher` holds the lease below.
 */
export const folderWatches = collection({
  kind: 'folder-watch',
  schema: z.object({
    workspaceId: z.string(),
    watcher: z.string(),
    watching: indexStateSchema.shape.watching,
    reason: z.string().optional(),
    /**
     * Every change since then is known, so the index is complete after any look or sync that started later.
     */
    since: time,
    /** Time up to which all changes were reported. Later changes may have been missed. */
    upTo: time.nullable(),
    /** The earliest known change that isn't reported yet. */
    pendingSince: time.nullable(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'FOLDER_WATCH', sort: workspaceId }),
});
export type StoredWatch = NonNullable<Awaited<ReturnType<typeof folderWatches.get>>>;

/** The only watcher of a data folder. All changes up to `beatAt` were sent, or are in the records above. */
export const watchers = collection({
  kind: 'folder-watcher',
  schema: z.object({
    id: z.literal('watcher'),
    owner: z.string(),
    until: time,
    beatAt: time,
    /** The previous watcher, whose records count until this one has written its own. */
    former: z.object({ owner: z.string(), beatAt: time }).optional(),
  }),
  key: ({ id }: { id: 'watcher' }) => ({ partition: 'FOLDER_WATCHER', sort: id }),
});
export type Watcher = NonNullable<Awaited<ReturnType<typeof watchers.get>>>;

export const watcherLeases = leasesOf({
  collection: watchers,
  ms: 20_000,
  owner: 'owner',
  until: 'until',
  format: 'milliseconds',
});

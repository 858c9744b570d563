import * as z from 'zod';
import { collection } from '../../records/collection.ts';
import { datasetPartition } from '../schema.ts';

const count = z.int().min(0);

/** The progress of listing a repository. A complete list is never repeated, because it's the list of one commit. */
const planSchema = z.object({
  datasetId: z.string(),
  complete: z.boolean(),
  commit: z.string(),
  /** The generation whose messages have all been sent. */
  sentGeneration: z.int(),
  /** The cursor of the hub's list. */
  cursor: z.string().nullable(),
  nextPart: count,
  totalBytes: count,
  totalFiles: count,
});
export type DownloadPlan = z.infer<typeof planSchema>;

export const plans = collection({
  kind: 'download-plan',
  schema: planSchema,
  key: ({ datasetId }: { datasetId: string }) => ({ partition: datasetPartition(datasetId), sort: 'PLAN' }),
});

/** A file as the hub describes it. */
const plannedFileSchema = z.object({
  path: z.string(),
  size: count,
  digest: z.object({ algorithm: z.enum(['sha256', 'git']), hex: z.string() }).nullable(),
});
export type PlannedFile = z.infer<typeof plannedFileSchema>;

/**
 * A piece of the planned work: several small files, a whole file, a range of a large file (`from` to `to`,
 * exclusive), or joining a file's ranges.
 */
const partSchema = z.object({
  datasetId: z.string(),
  part: count,
  kind: z.enum(['batch', 'whole', 'range', 'join']),
  files: z.array(plannedFileSchema).min(1),
  from: count,
  to: count,
  /** The first and the last part of the same file; the last part joins them. */
  group: z.tuple([count, count]),
  /** The hashes of the files, once they are verified. */
  sha256: z.array(z.string()).nullable(),
});
export type DownloadPart = z.infer<typeof partSchema>;

export const parts = collection({
  kind: 'download-part',
  schema: partSchema,
  key: ({ datasetId, part }: { datasetId: string; part: number }) => ({
    partition: datasetPartition(datasetId),
    sort: PART_PREFIX + partSort(part),
  }),
});
export const PART_PREFIX = 'PART#';

/** Remaining work, deleted when it's done. The last piece, FINISH, waits for all others. */
const workSchema = z.object({
  datasetId: z.string(),
  part: count,
  kind: z.enum(['batch', 'whole', 'range', 'join', 'finish']),
  group: z.tuple([count, count]),
  /** Number of bytes from the start that are on disk. */
  position: count,
  /** Maximum bytes of this work that the dataset's counters contain. Never decreases. */
  countedBytes: count,
  countedFiles: count,
  /** How often the bytes turned out wrong. */
  spoiled: count,
});
export type Work = z.infer<typeof workSchema>;

export const works = collection({
  kind: 'download-work',
  schema: workSchema,
  key: ({ datasetId, part }: { datasetId: string; part: number }) => ({
    partition: datasetPartition(datasetId),
    sort: workSort(part),
  }),
});
export const WORK_PREFIX = 'WORK#';
export const FINISH = 99_999_999;

export function workSort(part: number): string {
  return WORK_PREFIX + partSort(part);
}

function partSort(part: number): string {
  return String(part).padStart(8, '0');
}

/** The right to write until `until`, which can be renewed. */
const leaseSchema = z.object({
  datasetId: z.string(),
  /** `plan`, or the number of a part. */
  name: z.string(),
  owner: z.string(),
  generation: z.int(),
  /** Milliseconds since the epoch. */
  until: z.int(),
});
export type DownloadLease = z.infer<typeof leaseSchema>;

export const downloadLeases = collection({
  kind: 'download-lease',
  schema: leaseSchema,
  key: ({ datasetId, name }: { datasetId: string; name: string }) => ({
    partition: datasetPartition(datasetId),
    sort: LEASE_PREFIX + name,
  }),
});
export const LEASE_PREFIX = 'LEASE#';

/** The pause of a hub that limits its rate. It gets no requests until then. */
const hubPauseSchema = z.object({ source: z.string(), until: z.int() });
export const hubPauses = collection({
  kind: 'hub-pause',
  schema: hubPauseSchema,
  key: ({ source }: { source: string }) => ({ partition: 'HUB_PAUSE', sort: source }),
});

/**
 * The time by which a worker must have been active on a dataset. Otherwise, the scheduler tick sends the
 * dataset's messages again, and counts how often it did.
 */
const watchSchema = z.object({ datasetId: z.string(), until: z.int(), silences: count });
export type Watch = z.infer<typeof watchSchema>;
export const watches = collection({
  kind: 'download-watch',
  schema: watchSchema,
  key: ({ datasetId }: { datasetId: string }) => ({ partition: datasetPartition(datasetId), sort: 'WATCH' }),
  index: ({ datasetId, until }) => ({ partition: WATCHED, sort: `${watchSort(until)}#${datasetId}` }),
});
export const WATCHED = 'DATASET_WATCHED';

export function watchSort(until: number): string {
  return String(until).padStart(14, '0');
}

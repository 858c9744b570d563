import * as z from 'zod';
import { fileRecordKey } from '../documents/schema.ts';
import { readingFormat } from '../formats/all-formats.ts';
import { documentFactsSchema } from '../formats/document-schema.ts';
import { isRecognizable } from '../formats/recognized.ts';
import { timestampSchema } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';

export const fileErrorSchema = z
  .object({
    path: z.string().describe('Path of the file, shortened to 300 characters.'),
    error: z.string().describe('Reason why the file could not be indexed.'),
  })
  .meta({ title: 'FileError' });
const count = z.number().int();

/**
 * The number of files in the index, whatever the latest sync did. Includes files that were indexed without a
 * sync.
 */
const heldFilesSchema = z
  .strictObject({
    searchable: count.describe('Number of files that can be found and asked about.'),
    noText: count.describe('Number of files that were read and contain no text.'),
    failed: count.describe('Number of files that could not be read.'),
    skipped: count.describe(
      'Number of files and folders that are not read because of their kind, their name, or an ignore file. While it is not counted, at most 1,000.',
    ),
  })
  .meta({ title: 'HeldFiles' });

/** Response of GET …/sync. */
export const indexStateSchema = z
  .strictObject({
    syncId: z.string().nullable().describe('ID of the latest sync. Null before the first one.'),
    status: z
      .enum(['idle', 'scanning', 'indexing', 'ready', 'failed'])
      .meta({ title: 'IndexStatus' })
      .describe(
        'Status of the latest sync. `idle` before the first one. Files that are saved through the API are indexed without a sync: the status is `indexing` while some of them wait, unless the latest sync is `scanning` or `failed`. It can be `idle` when they are indexed: then `waitingCount` is 0, and `GET /api/workspaces/{workspaceId}/files?state=indexed` lists them.',
      ),
    total: count.describe('Number of files that the sync handles: those of the folder, and removed ones.'),
    done: count.describe('Number of files handled so far, failed ones included.'),
    newCount: count.describe('Number of new files that the sync has indexed so far.'),
    updatedCount: count.describe('Number of changed files that the sync has re-indexed so far.'),
    unchangedCount: count.describe('Number of files that are indexed and have not changed.'),
    removedCount: count.describe('Number of files that the sync has removed from the index so far.'),
    failedCount: count.describe('Number of files that could not be indexed. `errors` has the first 100.'),
    textsEmbedded: count.describe('Number of passages that this sync has embedded so far.'),
    skippedCount: count.describe(
      'Number of skipped files. A skipped folder counts once. `GET /api/workspaces/{workspaceId}/files?state=skipped` lists them.',
    ),
    waitingCount: count.describe(
      'Number of changed files that wait for indexing or are being indexed without a sync, at most 1,000.',
    ),
    recognizing: z
      .strictObject({
        path: z.string().describe('Path of the file whose pages are being read.'),
        pages: count.describe('Number of pages of the file that need OCR.'),
        pagesRead: count.describe('Number of pages of the file that OCR has read so far.'),
      })
      .optional()
      .describe('Progress of OCR in images and scanned pages, which runs during and after the sync.'),
    index: heldFilesSchema
      .nullable()
      .describe(
        'Number of files in the index, by their state. Unlike the other numbers, they are not of the latest sync. Null while they are unknown: in a large workspace, shortly after an update of the service.',
      ),
    errors: z
      .array(fileErrorSchema)
      .describe(
        'Errors of the sync that still apply, at most 100: not of files that were indexed or removed since.',
      ),
    embedding: z
      .string()
      .nullable()
      .describe('Embedding model of the index. Null if the index supports keyword search only.'),
    startedAt: timestampSchema.nullable().describe('Start of the latest sync. Null before the first one.'),
    finishedAt: timestampSchema.nullable().describe('End of the latest sync. Null while it is running.'),
    watching: z
      .enum(['live', 'polling', 'off'])
      .meta({ title: 'FolderWatching' })
      .describe(
        'How the service learns of changes that other programs make in the folder: `live` from the operating system, `polling` by comparing the folder from time to time, or `off` only by a sync.',
      ),
    asOf: timestampSchema
      .nullable()
      .describe(
        'Time up to which all changes in the folder are known to be indexed. Null before the folder was completely read once.',
      ),
  })
  .meta({ id: 'IndexState' });
export type IndexState = z.infer<typeof indexStateSchema>;

/** The progress shown in a list of workspaces. */
export const progressSchema = z
  .object(indexStateSchema.shape)
  .pick({ status: true, total: true, done: true, failedCount: true, finishedAt: true })
  .extend({
    waitingCount: indexStateSchema.shape.waitingCount,
    index: heldFilesSchema
      .omit({ skipped: true })
      .nullable()
      .describe('Number of files in the index, by their state. Null while they are unknown.'),
  })
  .meta({ id: 'IndexProgress' });
export type Progress = z.infer<typeof progressSchema>;

export const MAX_ERRORS = 100;
/** The maximum number of characters in a path, and in a reason. A hundred errors must fit into one record. */
const MAX_ERROR_CHARACTERS = 300;

export function indexError(path: string, error: string): IndexState['errors'][number] {
  return { path: path.slice(0, MAX_ERROR_CHARACTERS), error: error.slice(0, MAX_ERROR_CHARACTERS) };
}

export const UNREADABLE_FOLDER = "The directory can't be read. Its indexed files stay in the index.";

/**
 * Returns true if an error is about a file that has a record. Other errors are about the sync, a folder, or a
 * path that is too long for a record.
 */
export function isOfRecord({ path, error }: IndexState['errors'][number]): boolean {
  return path !== '' && path.length < MAX_ERROR_CHARACTERS && error !== UNREADABLE_FOLDER;
}

/** The numbers of handled files by result. */
export const handledFilesSchema = z.object({
  newCount: count,
  updatedCount: count,
  unchangedCount: count,
  removedCount: count,
  failedCount: count,
});
export type HandledFiles = z.infer<typeof handledFilesSchema>;

/**
 * The latest sync of a workspace. Commits, the scan, `startSync()`, and the scheduler tick write it, each on
 * the condition that it is still the sync that they read. A repeated message finds its batch in
 * `doneBatches`.
 */
export const syncs = collection({
  kind: 'sync',
  schema: z.object({
    workspaceId: z.string(),
    syncId: z.string(),
    status: indexStateSchema.shape.status,
    space: z.string(),
    /**
     * Identifies one run of the scan. If a killed scan runs again, it makes a new plan, and only the latest
     * plan counts.
     */
    planId: z.string().nullable(),
    batches: count,
    doneBatches: z.array(z.string()),
    /** The batches that continue as parts. Parts of other batches don't count. */
    splitBatches: z.array(z.string()),
    total: count,
    newCount: count,
    updatedCount: count,
    unchangedCount: count,
    removedCount: count,
    failedCount: count,
    /** Counts the finished batches. Batches in progress are counted by their own numbers. */
    textsEmbedded: count,
    textsUnderWay: z.array(z.object({ number: z.string(), texts: count, files: handledFilesSchema })),
    /** Files whose embedding failed. */
    lackingCount: count,
    skippedCount: count,
    errors: z.array(fileErrorSchema),
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
    /** The last heartbeat, in ISO 8601. */
    heartbeatAt: z.string(),
    /**
     * The probe sent after a long silence (lib/indexing/is-alive.ts), and the time at which it came through
     * both queues.
     */
    probe: z.object({ sentAt: z.string(), returnedAt: z.string().nullable() }).nullable(),
    /** When the latest complete sync before this one started. */
    readAsOf: z.string().nullable(),
    /** True for a failed sync until webhooks are notified, so that the scheduler tick repeats it after a kill. */
    untold: z.literal(true).optional(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'SYNC', sort: workspaceId }),
  index: (sync) =>
    isRunning(sync.status) || sync.untold ? { partition: 'SYNC_RUNNING', sort: sync.workspaceId } : undefined,
});
export type Sync = NonNullable<Awaited<ReturnType<typeof syncs.get>>>;

/**
 * Returns when the latest complete sync started. Everything that was in the folder at that time has been
 * read.
 */
export function completeAsOf({ status, startedAt, readAsOf }: Sync): string | null {
  return status === 'ready' ? startedAt : readAsOf;
}

export function countTexts({ textsEmbedded, textsUnderWay }: Sync): number {
  return textsUnderWay.reduce((sum, { texts }) => sum + texts, textsEmbedded);
}

/**
 * Counts the files of finished batches and of batches in progress, because a slow embedding service takes
 * minutes per batch.
 */
export function countHandled({ textsUnderWay, ...sync }: Sync): HandledFiles {
  const parts = [sync, ...textsUnderWay.flatMap(({ files }) => files ?? [])];
  const sum = (of: keyof HandledFiles) => parts.reduce((counted, part) => counted + part[of], 0);
  return {
    newCount: sum('newCount'),
    updatedCount: sum('updatedCount'),
    unchangedCount: sum('unchangedCount'),
    removedCount: sum('removedCount'),
    failedCount: sum('failedCount'),
  };
}

export function isRunning(status: IndexState['status']): boolean {
  return status === 'scanning' || status === 'indexing';
}

/** Marks that a look at the whole workspace is planned, so that no other one is requested. */
export const pendingLooks = collection({
  kind: 'pending-look',
  schema: z.object({ workspaceId: z.string(), expiresAt: count }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'INDEX_LOOK', sort: workspaceId }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

/**
 * The latest completed look at a workspace, in milliseconds. The differences that it found are marked as
 * waiting.
 */
export const folderLooks = collection({
  kind: 'folder-look',
  schema: z.object({ workspaceId: z.string(), startedAt: count, tookMs: count }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'FOLDER_LOOK', sort: workspaceId }),
});

/** Why a file is not in the index. */
export const leftOutSchema = z
  .enum([
    ...['kind', 'size', 'encrypted', 'no_text', 'ignored', 'broken'],
    ...['link', 'link_outside', 'link_broken', 'special', 'name', 'depth'],
    ...['unreadable', 'lfs_pointer', 'submodule', 'bibliography'],
  ] as const)
  .meta({ title: 'LeftOutReason' });
export type LeftOut = z.infer<typeof leftOutSchema>;

/** The index record of a file, for comparison in a sync. */
export const indexedFileSchema = z.object({
  workspaceId: z.string(),
  path: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  ctimeMs: z.number(),
  hash: z.string(),
  chunks: count,
  space: z.string(),
  /**
   * The table that contains its passages, in its space (lib/passages/tables.ts). The table's writer sets it.
   */
  table: z.string(),
  /** When the file was read, in milliseconds. An older reading never replaces a newer one. */
  readAt: z.number(),
  /** The format that was used to index it, and its version. */
  format: z.string(),
  formatVersion: count,
  /** False if its passages lack vectors that the space should have. */
  embedded: z.boolean(),
  /** The reason why the file couldn't be indexed. The next sync retries. */
  error: z.string().optional(),
  /**
   * The same reason as a code. Without an error, the reason why the index has no text of a file that was read
   * successfully.
   */
  reason: leftOutSchema.optional(),
  /** The real format of a broken file, as in Unreadable. */
  found: z.string().optional(),
  /**
   * The OCR engine that was asked to read it, and whether it's done. `left` pages exceed the limit per file.
   * Absent if there was no engine when the file was read.
   */
  recognition: z.object({ by: z.string(), pages: count, left: count, done: z.boolean() }).optional(),
  /** Content that wasn't read. Absent if nothing is known to be missing. */
  left: z.array(z.object({ kind: z.string(), count })).optional(),
  /** The encoding of its text, and whether it's certain; absent for UTF-8. */
  encoding: z.object({ name: z.string(), certain: z.boolean() }).optional(),
  /** Its first heading; absent if it has none. */
  title: z.string().optional(),
  /** The facts about it as a document. Absent if it was read by a release that didn't read facts. */
  document: documentFactsSchema.optional(),
  /** Reading the file ended the worker each time. Only a sync that a person starts tries again. */
  givenUp: z.boolean(),
});
export type IndexedFile = z.infer<typeof indexedFileSchema>;

export const indexedFiles = collection({
  kind: 'indexed-file',
  schema: indexedFileSchema,
  key: fileRecordKey,
  index: (file) => ({ partition: filesPartition(file.workspaceId), sort: placeInIndex(file) }),
});

/** The state of a file according to its record. */
export type StoredState = 'indexed' | 'skipped' | 'failed';

/**
 * Returns the state of a file. Failed files have no hash. Files that were read but have no text are skipped.
 */
export function stateOf({ hash, reason }: Pick<IndexedFile, 'hash' | 'reason'>): StoredState {
  if (hash === '') return 'failed';
  return reason === undefined ? 'indexed' : 'skipped';
}

/**
 * Sorts files in the index by their bytes, and other files by state and name, so that these can be listed,
 * and found by names in a question.
 */
function placeInIndex(file: Pick<IndexedFile, 'hash' | 'reason' | 'path'>): string {
  const state = stateOf(file);
  return state === 'indexed' ? `${file.hash}#${file.path.slice(0, 200)}` : leftOutPlace(state, file.path);
}

/**
 * Returns the sort key of a file outside the index. Its last part orders files with the same name. A sort key has at
 * most 1,024 bytes.
 */
function leftOutPlace(state: Exclude<StoredState, 'indexed'>, path: string): string {
  return `${leftOutPrefix(state, path.slice(path.lastIndexOf('/') + 1))}${path.slice(0, 200)}`;
}

/** Returns the common prefix of such sort keys with this name. */
export function leftOutPrefix(state: Exclude<StoredState, 'indexed'>, name: string): string {
  return `${state}#${name.toLowerCase()}#`;
}

/**
 * Skipped entries: files skipped because of their type or a rule, and folders that the scan didn't enter.
 * They are separate from the records of files that were read, so that a sync's comparison doesn't read them.
 */
export const skippedFiles = collection({
  kind: 'skipped-file',
  schema: z.object({
    workspaceId: z.string(),
    path: z.string(),
    size: z.number(),
    reason: leftOutSchema,
    folder: z.boolean(),
  }),
  key: ({ workspaceId, path }: { workspaceId: string; path: string }) => ({
    partition: skippedPartition(workspaceId),
    sort: path,
  }),
  index: ({ workspaceId, path }) => ({
    partition: filesPartition(workspaceId),
    sort: leftOutPlace('skipped', path),
  }),
});

/** Digest of the records of a workspace's skipped files, if known; `stamp` identifies the walk that is writing them. */
export const skippedLists = collection({
  kind: 'skipped-list',
  schema: z.object({
    workspaceId: z.string(),
    stamp: z.string(),
    digest: z.string().nullable(),
    /** The number of skipped files. Absent while a walk writes the records. */
    count: count.optional(),
  }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: 'SKIPPED_LIST', sort: workspaceId }),
});

export function skippedPartition(workspaceId: string): string {
  return `SKIPPED#${workspaceId}`;
}

export function filesPartition(workspaceId: string): string {
  return fileRecordKey({ workspaceId, path: '' }).partition;
}

interface ReadAs extends Pick<IndexedFile, 'format' | 'formatVersion' | 'space'> {
  /** The existing table; undefined if there is none. */
  table: string | undefined;
}

/** True if it's completely indexed in the current way and in the same space, and its passages still exist. */
export function isReadAs(known: IndexedFile, { format, formatVersion, space, table }: ReadAs): boolean {
  if (known.error !== undefined || !known.embedded || known.space !== space) return false;
  if (known.chunks > 0 && known.table !== table) return false;
  return known.format === format && known.formatVersion === formatVersion;
}

/**
 * Returns true if this OCR engine has already been asked for the missing text. It's asked once, and its
 * results arrive without a sync.
 */
export function isAsked({ recognition }: IndexedFile, path: string, by: string | undefined): boolean {
  return by === undefined || !isRecognizable(readingFormat(path)) || recognition?.by === by;
}

/** Returns true if the file was read in the current way, from the same bytes. */
export function isDone(known: IndexedFile, file: ReadAs & Pick<IndexedFile, 'hash'>): boolean {
  return known.hash === file.hash && isReadAs(known, file);
}

/** The sort key of a record has at most 1,024 bytes. */
export const MAX_INDEXED_PATH_BYTES = 1000;

/**
 * Returns true if a file can have a record. A file with a longer path can't, so every sync reports it as
 * failed.
 */
export function isRecordable(path: string): boolean {
  return path !== '' && Buffer.byteLength(path) <= MAX_INDEXED_PATH_BYTES;
}

/** Reads the index records of some files, by their paths. */
export async function readKnownFiles(
  records: Records,
  workspaceId: string,
  paths: string[],
): Promise<Map<string, IndexedFile>> {
  const asked = [...new Set(paths)].filter(isRecordable);
  const found = await indexedFiles.getMany(
    records,
    asked.map((path) => ({ workspaceId, path })),
  );
  return new Map(found.map((file) => [file.path, file]));
}

import * as z from 'zod';
import { filePartSchema } from '../ports/file-part.ts';
import { fileErrorSchema, handledFilesSchema, indexedFileSchema } from './schema.ts';

/** One passage of a file, with its position in the text. */
const rowSchema = z.object({
  chunk: z.number().int(),
  text: z.string(),
  startLine: z.number().int(),
  endLine: z.number().int(),
  startChar: z.number().int(),
  endChar: z.number().int(),
  part: filePartSchema,
  context: z.string(),
  /** Little-endian float32 as Base64; null if the row isn't embedded. */
  vector: z.string().nullable(),
});
export type MessageRow = z.infer<typeof rowSchema>;

/** The result of reading one file, for the one writer of the workspace. */
const resultSchema = z.discriminatedUnion('outcome', [
  /**
   * Rows to write. A large file is sent in parts. Until the last part, its record says that it was
   * interrupted.
   */
  z.object({
    outcome: z.literal('indexed'),
    path: z.string(),
    readAt: z.number(),
    rows: z.array(rowSchema),
    file: indexedFileSchema,
    last: z.boolean(),
  }),
  /** The same bytes are indexed as `from`, whose rows are copied. */
  z.object({
    outcome: z.literal('copied'),
    path: z.string(),
    readAt: z.number(),
    from: z.string(),
    file: indexedFileSchema,
  }),
  /** The bytes are unchanged. Only the size and times in the record may be new. */
  z.object({
    outcome: z.literal('unchanged'),
    path: z.string(),
    readAt: z.number(),
    file: indexedFileSchema,
  }),
  z.object({ outcome: z.literal('removed'), path: z.string(), readAt: z.number() }),
  /** The file is unreadable. Its previous rows are removed, and the reason is stored. */
  z.object({ outcome: z.literal('failed'), path: z.string(), readAt: z.number(), file: indexedFileSchema }),
]);
export type FileResult = z.infer<typeof resultSchema>;

/** The sync's batch to which results belong. `number` is `7`, or `7/3` if a failing batch was split. */
const batchSchema = z.object({ syncId: z.string(), planId: z.string(), number: z.string() });
export type Batch = z.infer<typeof batchSchema>;

const tallySchema = handledFilesSchema.extend({
  skippedCount: z.number().int(),
  errors: z.array(fileErrorSchema),
  /** Files without all vectors. */
  lackingCount: z.number().int(),
  /** Number of embedded texts. */
  texts: z.number().int(),
});
/** A message's file counts so far. */
export type Tally = z.infer<typeof tallySchema>;

export const NO_TALLY: Tally = {
  newCount: 0,
  updatedCount: 0,
  unchangedCount: 0,
  removedCount: 0,
  failedCount: 0,
  skippedCount: 0,
  errors: [],
  lackingCount: 0,
  texts: 0,
};

/** The result of a batch, sent with its last files. */
const finishedBatchSchema = tallySchema.extend({ batch: batchSchema });
export type FinishedBatch = z.infer<typeof finishedBatchSchema>;

const workspaceId = z.string();

/** Messages to the commit worker over the FIFO queue `commit`, in order within a workspace. */
export const commitMessageSchema = z.discriminatedUnion('kind', [
  /** The scan's plan: the number of batches. */
  z.object({
    kind: z.literal('plan'),
    workspaceId,
    syncId: z.string(),
    planId: z.string(),
    batches: z.number().int(),
    total: z.number().int(),
    unchanged: z.number().int(),
    /** Files that don't belong in the index. The total doesn't include them. */
    skipped: z.number().int(),
    /** The space with which the scan compared, and which this sync fills. */
    space: z.string(),
    errors: z.array(fileErrorSchema),
  }),
  /** A batch that kept failing as a whole continues as `parts` batches of one file. */
  z.object({ kind: z.literal('split'), workspaceId, batch: batchSchema, parts: z.number().int() }),
  z.object({
    kind: z.literal('results'),
    workspaceId,
    space: z.string(),
    results: z.array(resultSchema),
    /**
     * The number of texts of the batch that are embedded so far, and the number of its files that were
     * handled.
     */
    embedded: z.object({ batch: batchSchema, texts: z.number().int(), files: handledFilesSchema }).optional(),
    finishes: finishedBatchSchema.optional(),
  }),
  /** A probe for a silent sync, sent through both queues (lib/indexing/fail-stalled-syncs.ts). */
  z.object({ kind: z.literal('probe'), workspaceId, syncId: z.string(), sentAt: z.string() }),
  z.object({ kind: z.literal('drop'), workspaceId }),
]);
export type CommitMessage = z.infer<typeof commitMessageSchema>;

/** Messages to the maintain worker over the FIFO queue `maintain`; `askedAt` in milliseconds. */
export const maintainMessageSchema = z.object({ workspaceId, space: z.string(), askedAt: z.number() });
export type MaintainMessage = z.infer<typeof maintainMessageSchema>;

/**
 * A file for a sync to check. Its record comes with those of indexed files of the same size, because it may
 * be a copy of one.
 */
const seenFileSchema = z.object({ path: z.string(), possibleCopies: z.array(z.string()) });
export type SeenFile = z.infer<typeof seenFileSchema>;

/** Where a message that ran out of time, because of a slow embedding service, is continued by another. */
const goesOnSchema = z.object({
  tally: tallySchema,
  /**
   * The first file to continue, if its rows up to `row` have been sent, with its state at reading, and its
   * earlier record, if any.
   */
  begun: z
    .object({
      file: indexedFileSchema,
      row: z.number().int(),
      isNew: z.boolean(),
      /** How often it was restarted because it had changed. */
      restarts: z.number().int(),
    })
    .optional(),
  /** The same as in the `touch` that this continues. */
  fresh: z.boolean().optional(),
});
export type GoesOn = z.infer<typeof goesOnSchema>;

/** Messages to the index worker over the queues `index` and `touch`. */
export const indexMessageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scan'),
    workspaceId,
    syncId: z.string(),
    /**
     * True if a person requested the sync. It then first checks whether the embedding service still has the
     * table's model.
     */
    checksModel: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('files'),
    workspaceId,
    /** Absent if this continues a `touch`. */
    batch: batchSchema.optional(),
    files: z.array(seenFileSchema),
    /** Deleted files that were indexed. They come after the other files, which may be copies of them. */
    removed: z.array(z.string()),
    goesOn: goesOnSchema.optional(),
  }),
  /**
   * Files or folders to read again, because they were written, moved, or removed through the API, because a
   * look found them changed, or because they are copies whose rows the commit worker didn't find.
   */
  z.object({
    kind: z.literal('touch'),
    workspaceId,
    paths: z.array(z.string()),
    /**
     * Whether files are always read, because the rows may not match the records. Otherwise, they may count as
     * copies or unchanged.
     */
    fresh: z.boolean().optional(),
    /**
     * A part of a message that was too large. It isn't split again, because a path may represent several
     * files.
     */
    isPart: z.boolean().optional(),
  }),
  /** Anything in the workspace may have changed. Files with a different stat are touched. */
  z.object({ kind: z.literal('look'), workspaceId }),
  /** A step of OCR for waiting pages, one per message. */
  z.object({ kind: z.literal('recognize'), workspaceId, step: z.number().int() }),
  /** A probe that passes to the commit worker after everything that was sent before it. */
  z.object({ kind: z.literal('probe'), workspaceId, syncId: z.string(), sentAt: z.string() }),
  /** Files from which documents quote were changed, so the quotes must be checked again. */
  z.object({
    kind: z.literal('quotes'),
    workspaceId,
    paths: z.array(z.string()),
    /** How often the check was delayed. The new location of a quote may be committed a little later. */
    tries: z.number().int().default(0),
  }),
  /** A step of syncing all workspaces, one per message. */
  z.object({ kind: z.literal('reindex'), reindexId: z.string(), step: z.number().int() }),
]);
export type IndexMessage = z.infer<typeof indexMessageSchema>;
export type QuotesMessage = Extract<IndexMessage, { kind: 'quotes' }>;

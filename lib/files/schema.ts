import * as z from 'zod';
import { SERVICE } from '../activity/record.ts';
import { LEGACY_ENCODINGS } from '../formats/encoding-names.ts';
import { idSchema } from '../identifiers.ts';
import { anyPath, entryPath, filePath } from '../paths/path-schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { filePartSchema } from '../ports/file-part.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';

/** The largest file that read answers, and the largest that a presigned upload can carry, in bytes. */
export const MAX_READ_BYTES = 5 * 1024 * 1024;
const MAX_UPLOAD_BYTES = 5 * 1024 ** 3;
const HASH_CHARACTERS = 64;

const workspaceId = idSchema;

export const browseQuery = pageQuery.extend({
  workspaceId,
  path: anyPath.default(''),
  hidden: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('dot-names too'),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
});
export type BrowseQuery = z.infer<typeof browseQuery>;

export const fileQuery = z.object({ workspaceId, path: filePath });
export const readQuery = fileQuery.extend({
  as: z
    .enum(['file', 'indexed'])
    .meta({ title: 'FileForm' })
    .default('file')
    .describe(
      '`indexed`: the text that the index keeps of a document (PDF, office, mail …), by whose lines citations count',
    ),
});
export const mkdirBody = z.strictObject({ workspaceId, path: anyPath });
export const deleteBody = z.strictObject({ workspaceId, path: entryPath });
export const deleteQuery = z.object({ workspaceId: workspaceId.optional(), path: entryPath.optional() });

export const entrySchema = z
  .strictObject({
    name: z.string(),
    path: z.string(),
    type: z.enum(['file', 'directory']),
    size: z.number().int(),
    modifiedAt: timestampSchema,
  })
  .meta({ id: 'DirectoryEntry' });
export type Entry = z.infer<typeof entrySchema>;

const writtenFields = {
  path: z.string(),
  size: z.number().int(),
  modifiedAt: timestampSchema,
  hash: z.string().describe('SHA-256 of the bytes, hex'),
};
export const writtenSchema = z.strictObject(writtenFields).meta({ id: 'WrittenFile' });
export type WrittenFile = z.infer<typeof writtenSchema>;

export const readSchema = z
  .strictObject({
    ...writtenFields,
    content: z.string(),
    encoding: z
      .enum(['utf-8', 'base64', ...LEGACY_ENCODINGS])
      .describe(
        '`base64`: the content is the bytes; any other: it is text, and this is what the file is written in',
      ),
    parts: z
      .array(
        filePartSchema.omit({ rows: true, of: true }).extend({
          line: z.number().int().describe('of the content, from 1, with which it begins'),
          rowNumbers: z
            .array(z.number().int())
            .optional()
            .describe('of a sheet, after the line of its name: which row each line is'),
        }),
      )
      .optional()
      .describe('of the text that the index keeps: its pages, slides, sheets or cells'),
  })
  .meta({ id: 'FileContent' });
export type FileContent = z.infer<typeof readSchema>;

export const writeBody = z.strictObject({
  workspaceId,
  path: filePath,
  content: z.string(),
  expectedHash: z
    .string()
    .max(HASH_CHARACTERS)
    .nullable()
    .optional()
    .describe('409 unless the file has it now; null: 409 if there is one'),
});

export const uploadBody = z.strictObject({
  workspaceId,
  path: anyPath.default(''),
  file: z
    .custom<{ filename: string; content: Buffer }>(
      (value) => typeof value === 'object' && value !== null,
      'must be one file',
    )
    .meta({ type: 'string', format: 'binary' }),
});

export const renameBody = z.strictObject({
  workspaceId,
  oldPath: entryPath,
  newPath: entryPath,
  overwrite: z.boolean().default(false),
});

export const startUploadBody = z.strictObject({
  workspaceId,
  path: filePath,
  size: z.number().int().min(0).max(MAX_UPLOAD_BYTES).describe('bytes'),
});

export const startedUploadSchema = z
  .strictObject({
    uploadId: z.uuid(),
    url: z.url().describe('PUT the bytes there'),
    headers: z.record(z.string(), z.string()).describe('to be sent with that PUT'),
    expiresAt: timestampSchema,
  })
  .meta({ id: 'StartedUpload' });

/** The parts of an upload that have not come yet; number `n`, from 0, is the bytes from `n * partBytes` on. */
export const uploadPartsSchema = z
  .strictObject({
    partBytes: z.number().int().describe('of every part but the last'),
    count: z.number().int().describe('parts in all'),
    missing: z
      .array(
        startedUploadSchema
          .omit({ uploadId: true, expiresAt: true })
          .extend({ number: z.number().int().describe('from 0') }),
      )
      .describe('those that have not come yet, each with its own address'),
    expiresAt: timestampSchema.describe('of the addresses; then ask again'),
  })
  .meta({ id: 'UploadParts' });
export type UploadParts = z.infer<typeof uploadPartsSchema>;

export const uploadStatusSchema = z
  .strictObject({
    status: z.enum(['waiting', 'moving', 'done', 'failed']).meta({ title: 'UploadState' }),
    error: z.string().optional(),
  })
  .meta({ id: 'UploadStatus' });

export const uploadParams = z.object({ uploadId: idSchema });

const uploadSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  path: z.string(),
  size: z.number(),
  status: uploadStatusSchema.shape.status,
  error: z.string().optional(),
  /** The caller who started it. */
  actor: z.string().default(SERVICE),
  createdAt: z.string(),
  /** When addresses of parts were given last. */
  addressedAt: z.string().optional(),
});
export type Upload = z.infer<typeof uploadSchema>;

/** Kept for a day after it was begun. */
export const uploads = collection({
  kind: 'upload',
  schema: uploadSchema,
  key: ({ id }: { id: string }) => ({ partition: 'UPLOAD', sort: id }),
  expiresAt: goesAt,
});

const uploadPartSchema = z.object({ uploadId: z.string(), number: z.number(), createdAt: z.string() });

/** A part that has come; `createdAt` is the upload's, and both go together. */
export const uploadParts = collection({
  kind: 'upload-part',
  schema: uploadPartSchema,
  key: ({ uploadId, number }: { uploadId: string; number: number }) => ({
    ...uploadPartsPartition(uploadId),
    sort: String(number).padStart(3, '0'),
  }),
  expiresAt: goesAt,
});

export function uploadPartsPartition(uploadId: string): { partition: string } {
  return { partition: `UPLOAD#${uploadId}` };
}

function goesAt({ createdAt }: { createdAt: string }): number {
  return Math.floor(Date.parse(createdAt) / 1000) + 24 * 3600;
}

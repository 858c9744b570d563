import * as z from 'zod';
import { callerSchema } from '../access/caller.ts';
import { idSchema } from '../identifiers.ts';
import { anyPath, entryPath, filePath } from '../paths/path-schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { filePartSchema } from '../ports/file-part.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';
import { flagField } from '../validation/flag-field.ts';

/** The largest file that a read returns, and that one presigned upload can have, in bytes. */
export const MAX_READ_BYTES = 5 * 1024 * 1024;
const MAX_UPLOAD_BYTES = 5 * 1024 ** 3;
const HASH_CHARACTERS = 64;

const workspaceId = idSchema.describe('ID of the workspace.');

export const browseQuery = pageQuery.extend({
  workspaceId,
  path: anyPath
    .default('')
    .describe('Path of the directory relative to the workspace. Empty for the workspace itself.'),
  hidden: flagField('Whether to include names that begin with a dot.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(10_000)
    .describe('Maximum number of entries on the page.'),
});
export type BrowseQuery = z.infer<typeof browseQuery>;

export const fileQuery = z.object({ workspaceId, path: filePath });
export const readQuery = fileQuery.extend({
  as: z
    .enum(['file', 'indexed'])
    .meta({ title: 'FileForm' })
    .default('file')
    .describe(
      'Form of the content: `file` for the file itself, or `indexed` for the text that the index stores for a document (such as PDF, DOCX, or e-mail). Citations count the lines of the indexed text.',
    ),
});
export const mkdirBody = z.strictObject({ workspaceId, path: anyPath });
export const deleteBody = z.strictObject({ workspaceId, path: entryPath });
export const deleteQuery = z.object({
  workspaceId: workspaceId.optional().describe('ID of the workspace, if the request has no body.'),
  path: entryPath.optional().describe('Path of the file or directory, if the request has no body.'),
});

export const entrySchema = z
  .strictObject({
    name: z.string().describe('Name of the file or directory.'),
    path: z.string().describe('Path relative to the workspace.'),
    type: z.enum(['file', 'directory']),
    size: z.number().int().describe('Size in bytes. 0 for a directory.'),
    modifiedAt: timestampSchema.describe('Time of the latest change.'),
  })
  .meta({ id: 'DirectoryEntry' });
export type Entry = z.infer<typeof entrySchema>;

const writtenFields = {
  path: z.string().describe('Path relative to the workspace.'),
  size: z.number().int().describe('Size of the file, in bytes.'),
  modifiedAt: timestampSchema.describe('Time of the latest change.'),
  hash: z.string().describe('SHA-256 of the file, in hexadecimal.'),
};
export const writtenSchema = z.strictObject(writtenFields).meta({ id: 'WrittenFile' });
export type WrittenFile = z.infer<typeof writtenSchema>;

export const readSchema = z
  .strictObject({
    ...writtenFields,
    content: z.string().describe('Content of the file, in the form that `encoding` names.'),
    encoding: z
      .string()
      .describe(
        'Encoding. With `base64`, the content is the bytes of the file. Otherwise the content is text, and this is the text encoding of the file, by its name in the Encoding Standard: `utf-8`, `windows-1252`.',
      ),
    parts: z
      .array(
        filePartSchema.omit({ rows: true, of: true, cells: true }).extend({
          line: z.number().int().describe('First line of the part in the content, starting at 1.'),
          rowNumbers: z
            .array(z.number().int())
            .optional()
            .describe("Row number of each line of a sheet, starting after the line with the sheet's name."),
          columnNumbers: z
            .array(z.number().int())
            .optional()
            .describe('Column number of each cell of a row, starting at 1. Empty columns are left out.'),
        }),
      )
      .optional()
      .describe('Pages, slides, sheets, or cells of the indexed text.'),
    blocks: z
      .array(
        z.strictObject({
          line: z.number().int().describe('First line of the block in the content, starting at 1.'),
          kind: z.enum(['heading', 'item', 'row']).describe('Heading, list item, or table row.'),
          level: z.number().int().optional().describe('Level of a heading. 1 is the highest.'),
        }),
      )
      .optional()
      .describe('Blocks of the indexed text that are not paragraphs. Absent for formats without blocks.'),
  })
  .meta({ id: 'FileContent' });
export type FileContent = z.infer<typeof readSchema>;

export const writeBody = z.strictObject({
  workspaceId,
  path: filePath,
  content: z.string().describe('Text that replaces the file, in UTF-8.'),
  expectedHash: z
    .string()
    .max(HASH_CHARACTERS)
    .nullable()
    .optional()
    .describe(
      'Hash that the file must have now; otherwise the request returns 409. Null if the file must not exist yet.',
    ),
});

export const uploadBody = z.strictObject({
  workspaceId,
  path: anyPath.default(''),
  file: z
    .custom<{ filename: string; content: Buffer }>(
      (value) => typeof value === 'object' && value !== null,
      'must be one file',
    )
    .meta({ type: 'string', format: 'binary', description: 'Bytes of the file, with its name.' }),
});

export const renameBody = z.strictObject({
  workspaceId,
  oldPath: entryPath,
  newPath: entryPath,
  overwrite: z.boolean().default(false).describe('Whether to replace a file at the new path.'),
});

export const startUploadBody = z.strictObject({
  workspaceId,
  path: filePath,
  size: z.number().int().min(0).max(MAX_UPLOAD_BYTES).describe('Size of the file, in bytes.'),
});

export const startedUploadSchema = z
  .strictObject({
    uploadId: z.uuid().describe('ID of the upload.'),
    url: z.url().describe('URL to send the bytes to, with `PUT`.'),
    headers: z.record(z.string(), z.string()).describe('Headers to send with the `PUT` request.'),
    expiresAt: timestampSchema.describe('Time at which the URL expires.'),
  })
  .meta({ id: 'StartedUpload' });

/** The missing parts of an upload. Part `n`, counted from 0, starts at byte `n * partBytes`. */
export const uploadPartsSchema = z
  .strictObject({
    partBytes: z.number().int().describe('Size of each part, in bytes. The last part can be smaller.'),
    count: z.number().int().describe('Total number of parts.'),
    missing: z
      .array(
        startedUploadSchema
          .omit({ uploadId: true, expiresAt: true })
          .extend({ number: z.number().int().describe('Number of the part, starting at 0.') }),
      )
      .describe("Parts that haven't arrived yet, each with its own URL."),
    expiresAt: timestampSchema.describe('Time at which the URLs expire. Request new ones after that.'),
  })
  .meta({ id: 'UploadParts' });
export type UploadParts = z.infer<typeof uploadPartsSchema>;

export const uploadStatusSchema = z
  .strictObject({
    status: z.enum(['waiting', 'moving', 'done', 'failed']).meta({ title: 'UploadState' }),
    error: z.string().optional().describe('Reason why the upload failed.'),
  })
  .meta({ id: 'UploadStatus' });

export const uploadParams = z.object({ uploadId: idSchema.describe('ID of the upload.') });

const uploadSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  path: z.string(),
  size: z.number(),
  status: uploadStatusSchema.shape.status,
  error: z.string().optional(),
  /** The ID of the caller who started the upload. */
  actor: z.string(),
  /** The caller. Their permissions are checked again when the bytes have arrived. */
  caller: callerSchema,
  createdAt: z.string(),
  /** When URLs for parts were last issued. */
  addressedAt: z.string().optional(),
});
export type Upload = z.infer<typeof uploadSchema>;

/** Uploads. A record exists for a day after its upload started. */
export const uploads = collection({
  kind: 'upload',
  schema: uploadSchema,
  key: ({ id }: { id: string }) => ({ partition: 'UPLOAD', sort: id }),
  expiresAt: goesAt,
});

const uploadPartSchema = z.object({ uploadId: z.string(), number: z.number(), createdAt: z.string() });

/** Uploaded parts. `createdAt` is that of the upload, so that both expire together. */
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

import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type ErrorCode, isErrorCode } from '../../error-codes.ts';
import { TooLarge } from '../../errors.ts';
import { BROUGHT } from './brought-limits.ts';

/** The entry at a path of a workspace, as read by one stat. */
const entrySchema = z.strictObject({
  path: z.string().min(1),
  kind: z.enum(['file', 'folder', 'link']),
  /** Distinguishes versions of a file by inode, size, and times of change, without reading it. */
  version: z.string(),
  size: z.number(),
  /** Whole milliseconds. */
  mtimeMs: z.number(),
  executable: z.boolean(),
  /** A link's target. */
  target: z.string().optional(),
});
export type ListedEntry = z.infer<typeof entrySchema>;

/** A file in a pack for the function: its index in the list, and its state at the time of reading. */
export const broughtSchema = z.strictObject({
  index: z.number().int().nonnegative(),
  entry: entrySchema.optional(), // absent if the file was deleted in the meantime
});

/** A command as sent to its function. Paths are relative to the workspace. */
export const commandMessageSchema = z.strictObject({
  /** Must equal the tenant of the function's environment. */
  workspace: z.string(),
  script: z.string(),
  cwd: z.string(),
  timeoutMs: z.number().int().positive(),
  maxOutputBytes: z.number().int().positive(),
  /** The contents of the workspace, from packList. */
  list: z.string(),
  /** Folders in the list whose changes aren't returned, such as linked datasets. */
  readOnly: z.array(z.string()),
  /** The missing files, in the message or at a URL. */
  pack: z.union([z.strictObject({ base64: z.string() }), z.strictObject({ url: z.string() })]).optional(),
  /** Signed URLs for the result, one per size in RESULT_BYTES. */
  results: z.array(z.string()),
  /** Once this URL has an object, no caller waits for the command. */
  stopped: z.string(),
});
export type CommandMessage = z.infer<typeof commandMessageSchema>;

const doneSchema = z.object({
  /** UTF-8 as base64. A response has at most 6 MB, and JSON would take six bytes for a control character. */
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number().int(),
  timedOut: z.boolean(),
  truncated: z.boolean(),
  cwd: z.string(),
  /** True if there is a result to fetch. */
  changed: z.boolean(),
  leftPlaces: z.boolean().optional(),
});

/** The function's response. If the function itself fails, the response has another form. */
export const commandAnswerSchema = z.union([
  doneSchema,
  z.object({
    refused: z.object({
      status: z.number().int(),
      message: z.string(),
      code: z.custom<ErrorCode>(isErrorCode),
      field: z.string().optional(),
    }),
  }),
  /** Nothing has run yet, because the function lacks these entries of the list. */
  z.object({ lacks: z.array(z.number().int().nonnegative()).min(1) }),
]);
export type CommandAnswer = z.infer<typeof commandAnswerSchema>;

/**
 * A change made by a command, as stored in a pack. `base` is the version before the change, or null for a new
 * path.
 */
export const changeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: z.string(),
    base: z.string().nullable(),
    hash: z.string(),
    executable: z.boolean(),
    mtimeMs: z.number(), // any time; limited when the change is applied
  }),
  /** Only the time or the executable bit has changed. */
  z.object({
    kind: z.literal('touched'),
    path: z.string(),
    base: z.string(),
    executable: z.boolean(),
    mtimeMs: z.number(), // any time; limited when the change is applied
  }),
  z.object({
    kind: z.literal('link'),
    path: z.string(),
    base: z.string().nullable(),
    target: z.string().min(1),
  }),
  z.object({ kind: z.literal('folder'), path: z.string() }),
  z.object({ kind: z.literal('removed'), path: z.string(), base: z.string() }),
  z.object({ kind: z.literal('removedFolder'), path: z.string() }),
  /** The change isn't transferred. It stays in the mirror, and is lost with it. */
  z.object({ kind: z.literal('leftOut'), path: z.string(), why: z.string() }),
]);
export type FileChange = z.infer<typeof changeSchema>;

/**
 * The reason for keeping a file that a command removed: its new version may be in the part that didn't
 * arrive.
 */
export const KEPT = 'not removed, because some of the new files could not be saved';

export function isRemoval({ kind }: FileChange): boolean {
  return kind === 'removed' || kind === 'removedFolder';
}

/** Packs the list of a workspace for a message. Throws TooLarge. */
export function packList(entries: ListedEntry[]): string {
  const packed = gzipSync(JSON.stringify(entries), { level: 1 }).toString('base64');
  if (packed.length > BROUGHT.listBytes)
    throw new TooLarge(
      'commands_workspace_too_large',
      'The workspace has too many long paths to run commands in it.',
    );
  return packed;
}

export function unpackList(packed: string): ListedEntry[] {
  return z.array(entrySchema).parse(JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()));
}

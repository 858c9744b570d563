import * as z from 'zod';
import { ownerKey } from '../../access/owner-key.ts';
import { InvalidInput } from '../../errors.ts';
import { timestampSchema } from '../../ports/clock.ts';
import { PICTURE_TYPES, type PictureType } from '../../ports/language-model.ts';
import { collection } from '../../records/collection.ts';
import { conversationIdSchema, conversationPartition } from '../schema.ts';

/** A part of a message as in the AI SDK, with the URL of its bytes in `url`. */
export interface AttachedPart {
  url: string;
  mediaType?: string | undefined;
  filename?: string | undefined;
}

/** The maximum number of attachments per message. */
export const MAX_ATTACHMENTS = 10;
/**
 * The maximum size of a file in bytes. A request body has less space, so a larger file is attached by its
 * path in the workspace.
 */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** The maximum size of an image in bytes. Anthropic accepts 5 MB as Base64. */
export const MAX_PICTURE_BYTES = 3_900_000;
/** The maximum length of a side in pixels, which is Anthropic's limit. */
export const MAX_PICTURE_SIDE = 8000;
/** The maximum number of files per conversation. */
export const MAX_KEPT_FILES = 200;
export const MAX_KEPT_BYTES = 200 * 1024 * 1024;

const HASH = /^[0-9a-f]{64}$/;

export const attachmentParams = z.object({
  conversationId: conversationIdSchema.describe('ID of the conversation.'),
  hash: z
    .string()
    .regex(HASH, 'must be 64 hexadecimal digits')
    .describe('SHA-256 of the attachment, in hexadecimal.'),
});

const storedSchema = z.object({
  key: z.string(),
  hash: z.string(),
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  /** The owner whose quota contains the file. */
  ownerId: z.string(),
  /** True if its stored text is truncated. */
  isCut: z.boolean(),
  createdAt: timestampSchema,
});
export type StoredAttachment = z.infer<typeof storedSchema>;

export const ATTACHMENTS = 'ATTACHMENT#';
/** Attachments of a conversation. Each is written after its bytes, and before its message. */
export const attachments = collection({
  kind: 'conversation-attachment',
  schema: storedSchema,
  key: ({ key, hash }: { key: string; hash: string }) => ({
    partition: conversationPartition(key),
    sort: `${ATTACHMENTS}${hash}`,
  }),
  index: ({ key, hash, ownerId }: { key: string; hash: string; ownerId: string }) => ({
    partition: ownerPartition(ownerId),
    sort: `${key}#${hash}`,
  }),
});

export function ownerPartition(ownerId: string): string {
  return `ATTACHMENTS_OF#${ownerKey(ownerId)}`;
}

/**
 * Returns a folder inside the workspace's folder, so that anything that a dead process leaves behind is
 * deleted with it.
 */
export function workspaceFolder(workspaceId: string): string {
  return `attachments/${workspaceId}/`;
}

export function conversationFolder({ workspaceId, key }: { workspaceId: string; key: string }): string {
  return `${workspaceFolder(workspaceId)}${key}/`;
}

export function isPictureType(mediaType: string): mediaType is PictureType {
  return (PICTURE_TYPES as readonly string[]).includes(mediaType);
}

/**
 * Returns the URL from which a client fetches the file. In a request, the same URL names the stored
 * attachment.
 */
export function addressOf(conversationId: string, hash: string): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}/attachments/${hash}`;
}

const ADDRESS = /^\/api\/conversations\/([^/?#]+)\/attachments\/([0-9a-f]{64})$/;

/** Undefined if the URL isn't that of an attachment. Throws InvalidInput. */
export function readAddress(url: string): { conversationId: string; hash: string } | undefined {
  const [, id, hash] = ADDRESS.exec(url) ?? [];
  return id === undefined || hash === undefined ? undefined : { conversationId: decode(id, 'url'), hash };
}

/** Throws InvalidInput if the text isn't valid percent-encoding. */
export function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new InvalidInput('invalid_value', `${field} must have % written as %25.`, { field, cause: error });
  }
}

/** Returns the part of a message that is stored, and shown again. */
export function keptPart(
  conversationId: string,
  { hash, name, mediaType }: Pick<StoredAttachment, 'hash' | 'name' | 'mediaType'>,
) {
  return { type: 'file', mediaType, filename: name, url: addressOf(conversationId, hash) };
}

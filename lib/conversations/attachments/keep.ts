import type { ErrorCode } from '../../error-codes.ts';
import { Conflict } from '../../errors.ts';
import { timestamp } from '../../ports/clock.ts';
import type { Objects } from '../../ports/objects.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { type Conversation, conversationPartition, conversations } from '../schema.ts';
import type { Attachment } from './attachment.ts';
import {
  ATTACHMENTS,
  attachments,
  conversationFolder,
  isPictureType,
  MAX_KEPT_BYTES,
  MAX_KEPT_FILES,
  ownerPartition,
  type StoredAttachment,
  workspaceFolder,
} from './schema.ts';

/** The error codes for attachments that exceed their conversation's limits. */
export const KEEP_ATTACHMENT_ERRORS = [
  'attachments_quota_used_up',
  'conversation_full',
] as const satisfies ErrorCode[];

export interface KeepAttachmentPorts {
  records: Records;
  objects: Objects;
  /** The maximum size in bytes of all stored attachments of one owner; absent for no limit. */
  attachmentQuotaBytes?: number;
}

type Whose = Pick<Conversation, 'workspaceId' | 'key'>;
type Owned = Pick<Conversation, 'workspaceId' | 'key' | 'ownerId'>;

function bytesKey(whose: Whose, hash: string): string {
  return `${conversationFolder(whose)}${hash}`;
}

function textKey(whose: Whose, hash: string): string {
  return `${bytesKey(whose, hash)}.txt`;
}

/**
 * Stores a message's attachments before the message itself. If the process dies here, the bytes are deleted
 * with the conversation. If the conversation was deleted in the meantime, they are deleted at once, or with
 * its workspace.
 */
export async function keepAttachments(
  ports: TimedRecords & { objects: Objects },
  whose: Owned,
  added: Attachment[],
): Promise<void> {
  if (added.length === 0) return;
  await Promise.all(added.map((attachment) => keepOne(ports, whose, attachment)));
  if ((await conversations.get(ports.records, whose)) === undefined) await dropAttachments(ports, whose);
}

async function keepOne(
  { records, objects, clock }: TimedRecords & { objects: Objects },
  { workspaceId, key, ownerId }: Owned,
  { hash, name, mediaType, bytes, text, isCut }: Attachment,
): Promise<void> {
  const whose = { workspaceId, key };
  await Promise.all([
    objects.put(bytesKey(whose, hash), bytes),
    text === undefined ? undefined : objects.put(textKey(whose, hash), Buffer.from(text)),
  ]);
  const size = bytes.length;
  const createdAt = timestamp(clock);
  await attachments.put(records, { key, hash, name, mediaType, size, ownerId, isCut, createdAt });
}

/** Throws Conflict if the conversation is full, or its owner has used up the quota. */
export async function requireRoomFor(
  {
    records,
    attachmentQuotaBytes = Number.POSITIVE_INFINITY,
  }: Pick<KeepAttachmentPorts, 'records' | 'attachmentQuotaBytes'>,
  { key, ownerId }: Pick<Conversation, 'key' | 'ownerId'>,
  added: Attachment[],
): Promise<void> {
  if (added.length === 0) return;
  const sizes = new Map(added.map(({ hash, bytes }) => [hash, bytes.length]));
  const others = await bytesElsewhere(records, ownerId, { key, sizes });
  const wanted = others + [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (wanted > attachmentQuotaBytes)
    throw new Conflict(
      'attachments_quota_used_up',
      `Your attachments would take ${toMegabytes(wanted)} MB, and the limit is ${toMegabytes(attachmentQuotaBytes)} MB. Delete conversations that you no longer need, or ask an administrator to raise ATTACHMENTS_QUOTA_MB.`,
      { field: 'messages' },
    );
  const query = { partition: conversationPartition(key), sortPrefix: ATTACHMENTS, limit: MAX_KEPT_FILES };
  for await (const { hash, size } of attachments.all(records, query)) sizes.set(hash, size);
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (sizes.size > MAX_KEPT_FILES || bytes > MAX_KEPT_BYTES)
    throw new Conflict(
      'conversation_full',
      `id is a conversation that already has the most attachments it can have: ${MAX_KEPT_FILES} files or ${MAX_KEPT_BYTES} bytes. Start a new conversation.`,
      { field: 'id' },
    );
}

/** Returns the total size in bytes of an owner's stored attachments. */
export function bytesKeptOf(records: Records, ownerId: string): Promise<number> {
  return bytesElsewhere(records, ownerId, { key: '', sizes: new Map() });
}

/**
 * Returns the number of bytes that an owner has stored. A file that is attached again in the same
 * conversation counts once.
 */
async function bytesElsewhere(
  records: Records,
  ownerId: string,
  { key, sizes }: { key: string; sizes: Map<string, number> },
): Promise<number> {
  const query = { partition: ownerPartition(ownerId), byIndex: true, limit: 1000 };
  let bytes = 0;
  for await (const kept of attachments.all(records, query))
    if (kept.key !== key || !sizes.has(kept.hash)) bytes += kept.size;
  return bytes;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(1);
}

/** Undefined if nothing with this hash was attached in the conversation. */
export async function findAttachment(
  { records, objects }: { records: Records; objects: Objects },
  whose: Whose,
  hash: string,
): Promise<{ stored: StoredAttachment; bytes: Uint8Array } | undefined> {
  const [stored, bytes] = await Promise.all([
    attachments.get(records, { key: whose.key, hash }),
    objects.getBytes(bytesKey(whose, hash)),
  ]);
  return stored && bytes && { stored, bytes };
}

/** Reads a stored attachment in its original form; undefined if it was deleted. */
export async function readKept(
  ports: { records: Records; objects: Objects },
  whose: Whose,
  hash: string,
): Promise<Attachment | undefined> {
  const found = await findAttachment(ports, whose, hash);
  if (found === undefined) return undefined;
  const { name, mediaType, isCut } = found.stored;
  const kept = { hash, name, mediaType, bytes: found.bytes, isCut };
  if (isPictureType(mediaType)) return kept;
  const text = await ports.objects.getBytes(textKey(whose, hash));
  return text && { ...kept, text: Buffer.from(text).toString() };
}

export async function dropAttachments({ objects }: { objects: Objects }, whose: Whose): Promise<void> {
  await objects.deletePrefix(conversationFolder(whose));
}

/**
 * Removes the attachments of all conversations of a deleted workspace, including those of partly deleted
 * conversations.
 */
export async function dropAttachmentsOf(objects: Objects, workspaceId: string): Promise<void> {
  await objects.deletePrefix(workspaceFolder(workspaceId));
}

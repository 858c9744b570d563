import { createHash } from 'node:crypto';
import { log } from '../log.ts';
import type { Objects } from '../ports/objects.ts';

/**
 * Bytes of a body that are sent in the message itself. SQS accepts 1 MiB (256 KB before 2025, and in
 * MiniStack), but the port promises 64 MB, so a larger body is stored in the object store, and the message
 * contains a pointer to it.
 */
export const OFFLOAD_OVER_BYTES = 200_000;

/**
 * The folder of large bodies. A body is removed when its message is done; the bucket's lifecycle removes bodies of
 * messages that were never handled.
 */
const FOLDER = 'queue';
const POINTER = /^\{"offloadedTo":"(queue\/[0-9a-f]{64})"\}$/;

/**
 * Returns the text to send: the body, or a pointer to it. `identity` is the message's own, so a message that
 * is sent again under its deduplication ID gets the same pointer, because the queue must see the same
 * message.
 */
export async function offloadBody(objects: Objects, body: string, identity: string): Promise<string> {
  const bytes = Buffer.from(body);
  if (bytes.length <= OFFLOAD_OVER_BYTES) return body;
  const key = `${FOLDER}/${createHash('sha256').update(`${identity}\n`).update(bytes).digest('hex')}`;
  await objects.put(key, bytes);
  return JSON.stringify({ offloadedTo: key });
}

/** Returns the key to which a received text points; undefined if the text is the body itself. */
export function offloadedTo(text: string): string | undefined {
  return POINTER.exec(text)?.[1];
}

/**
 * Milliseconds for which a missing body may still appear. S3 may report that an object is missing for up to
 * 15 minutes after versioning was enabled on a bucket
 * (docs.aws.amazon.com/AmazonS3/latest/userguide/manage-versioning-examples.html). A queue's retries take
 * longer, so such a message isn't dead-lettered before that.
 */
export const MISSING_MS = 20 * 60_000;

/**
 * Returns the body of a text that was sent at `sentAt`. Undefined if the stored body is deleted, which
 * happens only after the message was handled (`discardBody`), so a repeated delivery has nothing left to do.
 * Throws while a missing body may still appear.
 */
export async function resolveBody(
  objects: Objects,
  text: string,
  sentAt: number,
): Promise<string | undefined> {
  const key = offloadedTo(text);
  if (key === undefined) return text;
  const bytes = await objects.getBytes(key);
  if (bytes !== undefined) return Buffer.from(bytes).toString();
  if (await objects.isDeleted(key)) return undefined;
  if (Date.now() - sentAt < MISSING_MS) throw new Error(`The body ${key} is missing and may still appear.`);
  log.warn('the body of a message is missing: it counts as handled', { key });
  return undefined;
}

/** Deletes a stored body; call it only after the message was handled. */
export async function discardBody(objects: Objects, text: string): Promise<void> {
  const key = offloadedTo(text);
  if (key !== undefined) await objects.delete(key);
}

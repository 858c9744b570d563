import { createHash } from 'node:crypto';
import type { Objects } from '../ports/objects.ts';

/**
 * Large message bodies. SQS takes 1 MiB (256 KB before 2025, and so does MiniStack), the port promises 64 MB: a body
 * over this many bytes lies in the object store, and the message is a pointer to it.
 */
export const OFFLOAD_OVER_BYTES = 200_000;

/** Bodies are removed when their message is done; the bucket's lifecycle removes those of messages that never were. */
const FOLDER = 'queue';
const POINTER = /^\{"offloadedTo":"(queue\/[0-9a-f]{64})"\}$/;

/**
 * The text to send in place of the body: itself, or a pointer to where it now lies. `identity` is the message's own. One
 * that is sent again under its deduplication id gets the same pointer: it must be the same message to the queue.
 */
export async function offloadBody(objects: Objects, body: string, identity: string): Promise<string> {
  const bytes = Buffer.from(body);
  if (bytes.length <= OFFLOAD_OVER_BYTES) return body;
  const key = `${FOLDER}/${createHash('sha256').update(`${identity}\n`).update(bytes).digest('hex')}`;
  await objects.put(key, bytes);
  return JSON.stringify({ offloadedTo: key });
}

/** Where a received text points to; undefined = it is the body itself. */
export function offloadedTo(text: string): string | undefined {
  return POINTER.exec(text)?.[1];
}

/**
 * The body of a received text. Undefined: it lay in the object store and is gone, which only happens after the message
 * was handled (`discardBody`), so this is a repeated delivery and there is nothing left to do.
 */
export async function resolveBody(objects: Objects, text: string): Promise<string | undefined> {
  const key = offloadedTo(text);
  if (key === undefined) return text;
  const bytes = await objects.getBytes(key);
  return bytes && Buffer.from(bytes).toString();
}

/** Call this when the message has been handled, and not before. */
export async function discardBody(objects: Objects, text: string): Promise<void> {
  const key = offloadedTo(text);
  if (key !== undefined) await objects.delete(key);
}

import { Readable } from 'node:stream';
import { InvalidInput, NotFound } from '../errors.ts';
import type { Objects } from '../ports/objects.ts';
import type { Records } from '../ports/records.ts';
import { type Upload, uploadParts, uploadPartsPartition } from './schema.ts';

const MIN_PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 100;

/** Returns the key of an upload's bytes until they are moved. There is one object, or one per part. */
export function objectKey(uploadId: string): string {
  return `uploads/${uploadId}`;
}

export function partKey(uploadId: string, number: number): string {
  return `${partsPrefix(uploadId)}${number}`;
}

function partsPrefix(uploadId: string): string {
  return `${objectKey(uploadId)}.parts/`;
}

/** Returns the upload and the part stored under the key; undefined for any other key. */
export function readKey(key: string): { uploadId: string; part: number | undefined } | undefined {
  const [, uploadId, part] = /^uploads\/([0-9a-f-]+)(?:\.parts\/(\d{1,3}))?$/.exec(key) ?? [];
  return uploadId === undefined ? undefined : { uploadId, part: part === undefined ? part : Number(part) };
}

/** Splits a file size into parts, always in the same way; returns the length of each part. */
export function partsIn(size: number): { partBytes: number; lengths: number[] } {
  const partBytes = Math.max(MIN_PART_BYTES, Math.ceil(size / MAX_PARTS));
  const count = Math.max(1, Math.ceil(size / partBytes));
  const lengths = Array.from({ length: count }, (_, n) => Math.min(partBytes, size - n * partBytes));
  return { partBytes, lengths };
}

export async function arrivedParts(records: Records, uploadId: string): Promise<Set<number>> {
  const arrived = new Set<number>();
  for await (const { number } of uploadParts.all(records, uploadPartsPartition(uploadId)))
    arrived.add(number);
  return arrived;
}

/** Records an uploaded part. Returns whether all parts have arrived. Idempotent. */
export async function notePart(records: Records, upload: Upload, number: number): Promise<boolean> {
  const { id, size, createdAt } = upload;
  await uploadParts.create(records, { uploadId: id, number, createdAt });
  return (await arrivedParts(records, id)).size >= partsIn(size).lengths.length;
}

/**
 * Opens an upload's bytes. Throws NotFound, and InvalidInput if they don't have the announced length, which
 * the stream may throw too. The caller destroys the stream.
 */
export async function openUploaded(objects: Objects, { id, size, addressedAt }: Upload): Promise<Readable> {
  const whole = await objects.get(objectKey(id));
  if (whole === undefined && addressedAt !== undefined) return Readable.from(readParts(objects, id, size));
  if (whole === undefined) throw uploadGone();
  if (whole.size === size) return whole.body;
  whole.body.on('error', () => {}).destroy(); // an unread body would keep its file or connection open
  throw wrongSize(whole.size, size);
}

async function* readParts(objects: Objects, id: string, size: number): AsyncGenerator<Uint8Array> {
  for (const [number, length] of partsIn(size).lengths.entries()) {
    const part = await objects.get(partKey(id, number));
    if (part === undefined) throw uploadGone();
    if (part.size !== length) throw wrongSize(part.size, length);
    yield* part.body as AsyncIterable<Uint8Array>;
  }
}

function uploadGone(): NotFound {
  return new NotFound('upload_not_found', 'The uploaded bytes no longer exist. Upload the file again.');
}

function wrongSize(found: number, announced: number): InvalidInput {
  return new InvalidInput('upload_incomplete', `The upload has ${found} bytes instead of ${announced}.`);
}

export async function dropUploaded(objects: Objects, uploadId: string): Promise<void> {
  await objects.delete(objectKey(uploadId));
  await objects.deletePrefix(partsPrefix(uploadId));
}

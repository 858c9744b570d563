import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import * as z from 'zod';

/** Returns a UUIDv7, which sorts by creation time. */
export function newId(): string {
  return v7();
}

/** An ID as sent by callers. Any short text is accepted here. An unknown ID gets 404, whatever its form. */
export const idSchema = z
  .string()
  .min(1)
  .max(64, { abort: true })
  .refine((id) => id.isWellFormed(), 'must be well-formed Unicode');

/** Returns an ID below all IDs created from this moment (milliseconds) on, and above all earlier ones. */
export function firstIdOf(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * Returns an ID that is always the same for this moment (milliseconds) and name. It sorts like an ID created
 * at that moment.
 */
export function derivedId(time: number, name: string): string {
  const random = createHash('sha256').update(name).digest().subarray(0, 16);
  return v7({ msecs: time, seq: random.readUInt32BE(12), random });
}

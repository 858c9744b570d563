import { v7 } from 'uuid';
import * as z from 'zod';

/** A UUIDv7: sorts by creation. */
export function newId(): string {
  return v7();
}

/** An id as callers send it. Any short text is accepted here: one that is not known answers 404, whatever its form. */
export const idSchema = z
  .string()
  .min(1)
  .max(64)
  .refine((id) => id.isWellFormed(), 'must be well-formed Unicode');

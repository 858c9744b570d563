import type { Decoded } from './format.ts';

/** Kinds of content that a decoder doesn't read; file-formats.md lists them. */
export type LeftKind =
  | 'attachments'
  | 'charts'
  | 'embedded_objects'
  | 'form_fields'
  | 'images'
  | 'macros'
  | 'sounds'
  | 'videos';

/** Returns the kinds that occur. */
export function leftOf(counts: Partial<Record<LeftKind, number>>): NonNullable<Decoded['left']> {
  return Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [{ kind, count }] : []));
}

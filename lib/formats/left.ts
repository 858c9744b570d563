import type { Decoded } from './format.ts';

/** What a file has and a decoder doesn't read; file-formats.md lists them. */
export type LeftKind =
  | 'attachments'
  | 'charts'
  | 'embedded_objects'
  | 'form_fields'
  | 'images'
  | 'macros'
  | 'sounds'
  | 'videos';

/** The kinds of which there are any. */
export function leftOf(counts: Partial<Record<LeftKind, number>>): NonNullable<Decoded['left']> {
  return Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [{ kind, count }] : []));
}

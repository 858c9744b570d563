import type { NameOf } from './all-formats.ts';
import type { Decoder } from './format.ts';
import { decodePdf } from './pdf.ts';

/**
 * Makes text of bytes: one for each format whose content is `encoded`. Large engines are imported here and when they are
 * needed, not in the format's own file: a bundle carries what its files import in this way whether or not it is called,
 * and a function that only looks formats up must not carry an engine.
 */
export const decoders: Record<NameOf<'encoded'>, Decoder> = {
  pdf: async (bytes) => decodePdf(await import('unpdf'), bytes),
};

import { decoders } from './all-decoders.ts';
import type { KnownFormat } from './all-formats.ts';
import { decodeText } from './decode.ts';
import type { Decoded } from './format.ts';

/** The text that positions in a file refer to. Undefined for a binary; throws what a decoder throws. */
export async function decodeSource(format: KnownFormat, bytes: Uint8Array): Promise<Decoded | undefined> {
  if (format.content === 'encoded') return decoders[format.name](bytes);
  const text = decodeText(bytes);
  return text === undefined ? undefined : { text, partStarts: [] };
}

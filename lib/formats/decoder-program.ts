import { isolatedProgram } from '../isolation/program.ts';
import { decoders } from './all-decoders.ts';
import type { NameOf } from './all-formats.ts';
import { readPdfFacts } from './pdf.ts';
import { measurePicture } from './picture.ts';

/** The decoders, in a separate process. */
export const program = isolatedProgram(import.meta, {
  decode: async ({ format, bytes }: { format: NameOf<'encoded'>; bytes: Uint8Array }) => {
    const { text, ...decoded } = await decoders[format](bytes);
    // JSON and RTF may contain lone surrogates, because of which an embedder refuses a whole call.
    return { ...decoded, text: text.toWellFormed() };
  },
  readPdfFacts: async ({ bytes }: { bytes: Uint8Array }) => readPdfFacts(await import('unpdf'), bytes),
  measurePicture: async ({ bytes }: { bytes: Uint8Array }) =>
    measurePicture(await import('image-size'), bytes),
});

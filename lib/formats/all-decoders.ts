import type { NameOf } from './all-formats.ts';
import { decodeEpub } from './epub.ts';
import type { Decoder } from './format.ts';
import { decodeMail, decodeMhtml } from './mail-text.ts';
import { decodeNotebook } from './notebook-cells.ts';
import { decodeDocx } from './office/docx.ts';
import { decodeOdp } from './office/odp.ts';
import { decodeOds } from './office/ods.ts';
import { decodeOdt } from './office/odt.ts';
import { decodePptx } from './office/pptx.ts';
import { decodeXlsx } from './office/xlsx.ts';
import { decodePdf } from './pdf.ts';
import { decodePicture } from './picture.ts';
import { decodeRtf } from './rtf.ts';

/**
 * Converts bytes to text, with one decoder for each format whose content is `encoded`. Large engines are
 * imported here on demand, not in the format's own file: a bundle includes such imports even if they are
 * never called, and a function that only looks formats up must not include an engine.
 */
export const decoders: Record<NameOf<'encoded'>, Decoder> = {
  pdf: async (bytes) => decodePdf(await import('unpdf'), bytes),
  docx: async (bytes) => decodeDocx(await zipReader(), bytes, await numberWriter()),
  pptx: async (bytes) => decodePptx(await zipReader(), bytes, await numberWriter()),
  xlsx: async (bytes) => decodeXlsx(await zipReader(), bytes, await numberWriter()),
  odt: async (bytes) => decodeOdt(await zipReader(), bytes),
  odp: async (bytes) => decodeOdp(await zipReader(), bytes),
  ods: async (bytes) => decodeOds(await zipReader(), bytes),
  epub: async (bytes) => decodeEpub(await zipReader(), bytes),
  rtf: decodeRtf,
  mail: async (bytes) => decodeMail(await import('postal-mime'), bytes),
  mhtml: async (bytes) => decodeMhtml(await import('postal-mime'), bytes),
  notebook: decodeNotebook,
  picture: async (bytes) => decodePicture(await import('image-size'), bytes),
};

/** In a bundle, a CommonJS package has only its default export. */
async function zipReader() {
  return (await import('yauzl')).default;
}

async function numberWriter() {
  return (await import('numfmt')).format;
}

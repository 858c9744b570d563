import { Unreadable } from '../errors.ts';
import { encodedFormats, formatOfBytes, type KnownFormat } from './all-formats.ts';

/**
 * The first bytes, in hexadecimal, of formats that are often saved under another extension. The service's own
 * formats have a `signature`.
 */
const SIGNATURES: [title: string, hex: string][] = [
  ['PNG', '89504e470d0a1a0a'],
  ['JPEG', 'ffd8ff'],
  ['GIF', '47494638'],
  ['RAR', '526172211a07'],
  ['7-Zip', '377abcaf271c'],
  ['GZIP', '1f8b08'],
  ['Office 97-2003', 'd0cf11e0a1b11ae1'],
];
/** Those of the titles above that belong to the one format for images. */
const PICTURES = new Set(['PNG', 'JPEG', 'GIF']);
const HTML = /^\ufeff?\s*(?:<\?xml[^<>]{0,200}\?>\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;
const HEAD_BYTES = 1024;

/** Entries that only one format has, and the signature of the directory at the end of a ZIP file. */
const MAIN_ENTRIES = { docx: 'word/document.xml', pptx: 'ppt/presentation.xml', xlsx: 'xl/workbook.xml' };
const ZIP_ENTRY = Buffer.from('PK\x03\x04');
const ZIP_END = Buffer.from('PK\x05\x06');
/** The number of bytes to read from the end, because a comment of at most 64 KiB may follow the directory. */
const ZIP_TAIL_BYTES = 66_000;
const PDF_TAIL_BYTES = 2048;

/**
 * Returns an error with the reason why the bytes aren't of the format; undefined if the bytes don't show a
 * reason.
 */
export function whyNotOfFormat(format: KnownFormat, bytes: Uint8Array): Unreadable | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0)
    return new Unreadable('broken', `The ${format.title} file is empty.`, { found: 'empty' });
  if (isCut(buffer, format))
    return new Unreadable('broken', `The ${format.title} file is incomplete. Add it again.`, {
      found: 'incomplete',
    });
  return whyOtherFormat(format, buffer);
}

/** Returns the error that names the format of the bytes, if that is another one. */
export function whyOtherFormat({ name, title }: KnownFormat, bytes: Uint8Array): Unreadable | undefined {
  const found = titleOfBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (found === undefined || found === title || (name === 'picture' && PICTURES.has(found))) return undefined;
  return new Unreadable(
    'broken',
    `The file contains ${found}, not ${title}. Rename it, or add the right file.`,
    { found },
  );
}

function titleOfBytes(buffer: Buffer): string | undefined {
  const known = formatOfBytes(buffer)?.title;
  if (known !== undefined) return known;
  if (startsWith(buffer, ZIP_ENTRY)) return titleOfZip(buffer);
  if (HTML.test(buffer.subarray(0, HEAD_BYTES).toString())) return 'HTML';
  return SIGNATURES.find(([, hex]) => startsWith(buffer, Buffer.from(hex, 'hex')))?.[0];
}

/**
 * Names of entries aren't compressed. The last match belongs to the file's own directory, not to an embedded
 * document's. OpenDocument and EPUB files start with their uncompressed media type.
 */
function titleOfZip(buffer: Buffer): string {
  const head = buffer.subarray(0, HEAD_BYTES);
  const byType = encodedFormats.find(({ mediaType }) => head.includes(`mimetype${mediaType}`));
  const places = Object.entries(MAIN_ENTRIES).map(([name, entry]) => ({
    name,
    at: buffer.lastIndexOf(entry),
  }));
  const [last] = places.filter(({ at }) => at >= 0).sort((one, other) => other.at - one.at);
  const name = byType?.name ?? last?.name;
  return encodedFormats.find((format) => format.name === name)?.title ?? 'ZIP';
}

function isCut(buffer: Buffer, { name }: KnownFormat): boolean {
  if (startsWith(buffer, ZIP_ENTRY)) return !buffer.subarray(-ZIP_TAIL_BYTES).includes(ZIP_END);
  return (
    name === 'pdf' &&
    formatOfBytes(buffer)?.name === 'pdf' &&
    !buffer.subarray(-PDF_TAIL_BYTES).includes('%%EOF')
  );
}

function startsWith(buffer: Buffer, signature: Buffer): boolean {
  return buffer.subarray(0, signature.length).equals(signature);
}

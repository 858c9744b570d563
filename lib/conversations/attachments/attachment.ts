import mime from 'mime';
import { InvalidInput, TooLarge, Unreadable } from '../../errors.ts';
import {
  encodedFormats,
  formatOf,
  formatOfBytes,
  type KnownFormat,
  mediaTypeOf,
  readingFormat,
} from '../../formats/all-formats.ts';
import { extract } from '../../formats/extract.ts';
import { runIsolated } from '../../isolation/run-isolated.ts';
import { sha256 } from '../../paths/hash.ts';
import type { PictureType } from '../../ports/language-model.ts';
import { beginning } from '../../text/cut-text.ts';
import { MAX_ATTACHMENT_BYTES, MAX_PICTURE_BYTES, MAX_PICTURE_SIDE } from './schema.ts';

/** An attachment after inspection: an image by its bytes, anything else as its text. */
export interface Attachment {
  hash: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array;
  /** Absent for images. */
  text?: string;
  /** True if its text is truncated. */
  isCut: boolean;
}

/** The maximum number of characters of one file that the model sees. */
const MAX_TEXT = 60_000;
const MAX_NAME = 150;
const MEASURE_TIMEOUT_MS = 15_000;

const SIGNATURES: [PictureType, (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff'],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  ['image/webp', (bytes) => /^RIFF.{4}WEBP/s.test(bytes.subarray(0, 12).toString('latin1'))],
];

/** Reads an attachment. Throws InvalidInput if it can't be shown to any model, TooLarge. */
export async function readAttachment(
  bytes: Buffer,
  { name: given, mediaType }: { name: string; mediaType: string },
  whose: string,
): Promise<Attachment> {
  const name = cleanName(given, mediaType);
  if (bytes.length === 0)
    throw new InvalidInput('attachment_unreadable', `messages has the attachment ${name}, which is empty.`, {
      field: 'messages',
    });
  if (bytes.length > MAX_ATTACHMENT_BYTES)
    throw new TooLarge(
      'attachment_too_large',
      `messages has the attachment ${name}, which is larger than the limit of ${MAX_ATTACHMENT_BYTES} bytes.`,
      { field: 'messages' },
    );
  const hash = await sha256(bytes);
  const type = SIGNATURES.find(([, fits]) => fits(bytes))?.[0];
  if (type !== undefined) {
    await checkPicture(bytes, name, whose);
    return { hash, name, mediaType: type, bytes, isCut: false };
  }
  return { hash, name, bytes, ...(await readText(bytes, { name, mediaType })) };
}

/**
 * Returns a one-line name that shows the file's type, without characters that have a meaning in a terminal or
 * a header.
 */
function cleanName(given: string, mediaType: string): string {
  const last = given.slice(given.lastIndexOf('/') + 1);
  const plain = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s\\]+/gu, ' ').trim();
  const name = beginning(plain.toWellFormed(), MAX_NAME);
  if (name !== '') return name;
  const extension = mime.getExtension(mediaType);
  return extension === null ? 'attachment' : `attachment.${extension}`;
}

/** Reads only the image's header, in another process. */
async function checkPicture(bytes: Buffer, name: string, whose: string): Promise<void> {
  if (bytes.length > MAX_PICTURE_BYTES)
    throw new TooLarge(
      'attachment_too_large',
      `messages has the image ${name}, which is larger than the limit of ${MAX_PICTURE_BYTES} bytes.`,
      { field: 'messages' },
    );
  const { program } = await import('../../formats/decoder-program.ts');
  const options = { timeoutMs: MEASURE_TIMEOUT_MS, whose };
  const { width, height } = await runIsolated(program, 'measurePicture', { bytes }, options).catch(
    (error: unknown) => refuse(name, error),
  );
  if (Math.max(width, height) > MAX_PICTURE_SIDE)
    throw new InvalidInput(
      'attachment_unsupported',
      `messages has the image ${name} of ${width} x ${height} pixels. Each side can have at most ${MAX_PICTURE_SIDE} pixels.`,
      { field: 'messages' },
    );
}

function refuse(name: string, error: unknown): never {
  if (!(error instanceof InvalidInput)) throw error;
  throw new InvalidInput(
    'attachment_unreadable',
    `messages has the attachment ${name}, which can't be read: ${error.message}`,
    { field: 'messages', cause: error },
  );
}

async function readText(bytes: Buffer, { name, mediaType }: { name: string; mediaType: string }) {
  const format = formatFor(bytes, name, mediaType);
  if (format.name === 'picture')
    throw new InvalidInput(
      'attachment_unsupported',
      `messages has the image ${name}, which isn't a PNG, JPEG, GIF, or WebP file.`,
      { field: 'messages' },
    );
  try {
    const { text } = await extract(format, bytes);
    const kept = beginning(text.toWellFormed(), MAX_TEXT);
    const known = formatOf(name) === format ? mediaTypeOf(name) : format.mediaType;
    return { mediaType: known, text: kept, isCut: kept.length < text.length };
  } catch (error) {
    if (error instanceof Unreadable && error.reason === 'kind') throw notReadable(name);
    return refuse(name, error);
  }
}

/** Returns the format of a file. The name takes precedence over the sender's media type. */
function formatFor(bytes: Buffer, name: string, mediaType: string): KnownFormat {
  const byType = `attachment.${mime.getExtension(mediaType) ?? 'txt'}`;
  return formatOfBytes(bytes) ?? formatOf(name) ?? readingFormat(byType);
}

function notReadable(name: string): InvalidInput {
  const titles = encodedFormats.filter(({ name: format }) => format !== 'picture').map(({ title }) => title);
  const kinds = ['PNG, JPEG, GIF, and WebP images', 'text', ...titles];
  return new InvalidInput(
    'attachment_unsupported',
    `messages has the attachment ${name}, which is binary. Supported attachments: ${kinds.join(', ')}.`,
    { field: 'messages' },
  );
}

import { Unreadable } from '../errors.ts';
import type { Decoded, Format } from './format.ts';
import { joinParts } from './join-parts.ts';

const MEDIA_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
};
const KINDS = new Set(['png', 'jpg', 'gif', 'webp', 'tiff', 'bmp']);

/** A4 at 600 dots per inch has 35 million. */
export const MAX_PIXELS = 50_000_000;
/** The longest side; the recognizer's library takes no larger one. */
const MAX_SIDE = 32_767;

/** Its only text is what a recognizer reads in it. */
export const picture: Format<'picture', 'encoded'> = {
  name: 'picture',
  version: 1,
  title: 'picture',
  extensions: Object.keys(MEDIA_TYPES),
  mediaType: 'image/png',
  mediaTypes: MEDIA_TYPES,
  content: 'encoded',
  unit: 'page',
  recognizable: 'picture',
  emptyNote: 'no text has been recognized in this picture',
};

type SizeReader = Pick<typeof import('image-size'), 'imageSize'>;

/** A page without text, for a picture whose header promises one that can be read. */
export function decodePicture(reader: SizeReader, bytes: Uint8Array): Decoded {
  measurePicture(reader, bytes);
  return joinParts([{ text: '' }]);
}

/** What the header promises. Throws Unreadable for what no program should unpack. */
export function measurePicture({ imageSize }: SizeReader, bytes: Uint8Array) {
  const { type, width, height } = readHeader(imageSize, bytes);
  if (!KINDS.has(type ?? '')) throw new Unreadable('kind', `a picture of a kind that is not read: ${type}`);
  if (!(width > 0 && height > 0)) throw new Unreadable('broken', 'picture: without a size');
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE)
    throw new Unreadable('size', `picture of ${width} x ${height}: more than 50 million pixels`);
  return { type, width, height };
}

function readHeader(imageSize: SizeReader['imageSize'], bytes: Uint8Array) {
  try {
    return imageSize(bytes);
  } catch (error) {
    throw new Unreadable('broken', 'picture: its header cannot be read', { cause: error });
  }
}

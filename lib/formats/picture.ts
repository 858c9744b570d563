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

/** The maximum number of pixels. A4 at 600 dots per inch has 35 million. */
export const MAX_PIXELS = 50_000_000;
/** The longest side in pixels: the OCR library's limit. */
const MAX_SIDE = 32_767;

/** An image has no text except from OCR. */
export const picture: Format<'picture', 'encoded'> = {
  name: 'picture',
  version: 1,
  title: 'image',
  extensions: Object.keys(MEDIA_TYPES),
  mediaType: 'image/png',
  mediaTypes: MEDIA_TYPES,
  content: 'encoded',
  unit: 'page',
  recognizable: 'picture',
  emptyNote: 'OCR found no text in this image.',
};

type SizeReader = Pick<typeof import('image-size'), 'imageSize'>;

/** Returns a page without text, for an image whose header shows that it can be read. */
export function decodePicture(reader: SizeReader, bytes: Uint8Array): Decoded {
  measurePicture(reader, bytes);
  return joinParts([{ text: '' }]);
}

/** Measures the image by its header. Throws Unreadable for an image that is too large to decompress. */
export function measurePicture({ imageSize }: SizeReader, bytes: Uint8Array) {
  const { type, width, height } = readHeader(imageSize, bytes);
  if (!KINDS.has(type ?? '')) throw new Unreadable('kind', `The image format ${type} can't be read.`);
  if (!(width > 0 && height > 0)) throw new Unreadable('broken', 'The image has no size. It may be damaged.');
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE)
    throw new Unreadable('size', `The image has ${width} x ${height} pixels, which is over 50 million.`);
  return { type, width, height };
}

function readHeader(imageSize: SizeReader['imageSize'], bytes: Uint8Array) {
  try {
    return imageSize(bytes);
  } catch (error) {
    throw new Unreadable('broken', "The header of the image can't be read. It may be damaged.", {
      cause: error,
    });
  }
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MAX_PIXELS } from '../../formats/picture.ts';
import { drawPictures, type Matrix, multiply, type PlacedPicture } from './draw-pictures.ts';
import type { OrientedPicture } from './tesseract.ts';

/**
 * The parts of pdfjs-dist that are used here. The build in unpdf lacks the decoders for the formats that
 * scanners write (JBIG2, CCITT, JPEG 2000).
 */
interface PdfModule {
  OPS: Record<string, number>;
  GlobalWorkerOptions: { workerSrc: string };
  getDocument(options: object): { promise: Promise<PdfDocument>; destroy(): Promise<void> };
}

interface PdfDocument {
  getPage(number: number): Promise<PdfPage>;
}

interface PdfPage {
  rotate: number;
  /** Corners of the visible part. */
  view: [number, number, number, number];
  objs: PdfObjects;
  commonObjs: PdfObjects;
  getOperatorList(): Promise<{ fnArray: number[]; argsArray: (unknown[] | null)[] }>;
}

interface PdfObjects {
  get(key: string, take: (value: PdfImage | null) => void): void;
}

interface PdfImage {
  width: number;
  height: number;
  /** 1: one bit per pixel; 2: RGB; 3: RGBA. Absent for masks, which have one bit per pixel. */
  kind?: 1 | 2 | 3;
  /** The bytes. A mask may instead name an object that has them. */
  data?: Uint8Array | Uint8ClampedArray | string;
}

/** Returns a page's images as one image, and how to turn it; undefined if there is no readable image. */
export type PdfPages = (bytes: Uint8Array, page: number) => Promise<OrientedPicture | undefined>;

/** EXIF orientations by the degrees that an image must be turned. */
const ORIENTATIONS: Record<number, number> = { 90: 6, 180: 3, 270: 8 };
/** Maximum images per page. */
const MAX_PICTURES = 500;

export async function openPdfPages(folder: string): Promise<PdfPages> {
  const engine = (await import(pathToFileURL(join(folder, 'pdf.mjs')).href)) as PdfModule;
  engine.GlobalWorkerOptions.workerSrc = pathToFileURL(join(folder, 'pdf.worker.mjs')).href;
  return async (bytes, number) => {
    const task = engine.getDocument({
      data: new Uint8Array(bytes),
      verbosity: 0,
      wasmUrl: `${folder}/`,
      maxImageSize: MAX_PIXELS,
      isOffscreenCanvasSupported: false,
      disableFontFace: true,
    });
    try {
      const page = await (await task.promise).getPage(number);
      const drawn = drawPictures(await placePictures(engine, page), page.view);
      return drawn && { bytes: drawn, orientation: ORIENTATIONS[page.rotate] ?? 1 };
    } finally {
      await task.destroy();
    }
  };
}

interface Painted {
  image: string | PdfImage;
  isMask: boolean;
  matrix: Matrix;
}

/** Returns each image of the page with its position, in painting order. */
async function placePictures(engine: PdfModule, page: PdfPage): Promise<PlacedPicture[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const track = tracker(engine.OPS);
  const painted = fnArray.flatMap((operation, index) => track(operation, argsArray[index] ?? []) ?? []);
  const placed: PlacedPicture[] = [];
  for (const { image, isMask, matrix } of painted.slice(0, MAX_PICTURES)) {
    const found = await findImage(page, image);
    if (found !== undefined) placed.push({ ...found, kind: isMask ? 'mask' : (found.kind ?? 1), matrix });
  }
  return placed;
}

/**
 * Returns a function that follows a page's operations, and returns the image that each one paints, with its
 * position.
 */
function tracker(OPS: PdfModule['OPS']): (operation: number, args: unknown[]) => Painted | undefined {
  const saved: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  const restore = () => {
    matrix = saved.pop() ?? matrix;
  };
  const moves: Record<number, (args: unknown[]) => void> = {
    [OPS.save ?? -1]: () => saved.push(matrix),
    [OPS.restore ?? -1]: restore,
    [OPS.transform ?? -1]: (args) => {
      matrix = multiply(matrix, args as Matrix);
    },
    [OPS.paintFormXObjectBegin ?? -1]: ([form]) => {
      saved.push(matrix);
      if (form) matrix = multiply(matrix, form as Matrix);
    },
    [OPS.paintFormXObjectEnd ?? -1]: restore,
  };
  return (operation, args) => {
    moves[operation]?.(args);
    const isMask = operation === OPS.paintImageMaskXObject;
    const isPicture = operation === OPS.paintImageXObject || operation === OPS.paintInlineImageXObject;
    return isMask || isPicture ? { image: args[0] as Painted['image'], isMask, matrix } : undefined;
  };
}

/** Returns the image that the operation contains or names. */
async function findImage(page: PdfPage, image: string | PdfImage | null) {
  const found = typeof image === 'string' ? await getObject(page, image) : image;
  const held = typeof found?.data === 'string' ? await getObject(page, found.data) : found;
  const data = held?.data;
  if (!found || data === undefined || typeof data === 'string') return undefined;
  return { width: found.width, height: found.height, kind: held?.kind ?? found.kind, data };
}

/** Returns an object; null if it couldn't be decoded, or has too many pixels. */
function getObject({ objs, commonObjs }: PdfPage, key: string): Promise<PdfImage | null> {
  return new Promise((resolve) => (key.startsWith('g_') ? commonObjs : objs).get(key, resolve));
}

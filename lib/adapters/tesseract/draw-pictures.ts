import { MAX_PIXELS } from '../../formats/picture.ts';

/** A matrix in PDF notation: x = a*u + c*v + e, y = b*u + d*v + f. */
export type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];

export interface PlacedPicture {
  width: number;
  height: number;
  /** 1: one bit per pixel, set for white; 2: RGB; 3: RGBA. A mask paints black where its bit isn't set. */
  kind: 1 | 2 | 3 | 'mask';
  data: Uint8Array | Uint8ClampedArray;
  /** Maps the image's unit square to the page, whose y axis points up. */
  matrix: Matrix;
}

interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Minimum pixels. A smaller image contains no letters. */
const LEAST_PIXELS = 400;

export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

/**
 * Combines a page's images into one gray image (a PGM), each at its position. Scanners write a page as one
 * image, as strips, or as a background with a mask of its letters. Uses the resolution of the finest image.
 * Undefined if nothing is visible.
 */
export function drawPictures(pictures: PlacedPicture[], view: number[]): Uint8Array | undefined {
  const seen = pictures.filter(
    ({ width, height, matrix }) => width * height > 0 && determinant(matrix) !== 0,
  );
  const box = clip(around(seen), view);
  const [wide, high] = [box.right - box.left, box.top - box.bottom];
  const finest = Math.max(...seen.map(resolution));
  const scale = Math.min(finest, Math.sqrt(MAX_PIXELS / (wide * high)));
  const [width, height] = [Math.round(wide * scale), Math.round(high * scale)];
  if (!(wide > 0 && high > 0 && width * height >= LEAST_PIXELS)) return undefined;
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const drawn = new Uint8Array(head.length + width * height).fill(255);
  drawn.set(head);
  const paper = { pixels: drawn.subarray(head.length), width, height, scale, left: box.left, top: box.top };
  for (const picture of seen) draw(paper, picture);
  return drawn;
}

function determinant([a, b, c, d]: Matrix): number {
  return a * d - b * c;
}

/** Returns the number of dots per unit of the page. */
function resolution({ width, height, matrix: [a, b, c, d] }: PlacedPicture): number {
  return Math.max(width / Math.hypot(a, b), height / Math.hypot(c, d));
}

function cornersOf({ matrix: [a, b, c, d, e, f] }: PlacedPicture): [number, number][] {
  return [[e, f], [e + a, f + b], [e + c, f + d], [e + a + c, f + b + d]]; // biome-ignore format: a table
}

function around(pictures: PlacedPicture[]): Box {
  const corners = pictures.flatMap(cornersOf);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
}

function clip(box: Box, [left = 0, bottom = 0, right = 0, top = 0]: number[]): Box {
  return {
    left: Math.max(box.left, left),
    bottom: Math.max(box.bottom, bottom),
    right: Math.min(box.right, right),
    top: Math.min(box.top, top),
  };
}

interface Paper {
  pixels: Uint8Array;
  width: number;
  height: number;
  scale: number;
  left: number;
  top: number;
}

/** Gives each dot of the paper the image's color at its position. */
function draw(paper: Paper, picture: PlacedPicture): void {
  const [a, b, c, d, e, f] = picture.matrix;
  const whole = determinant(picture.matrix);
  const box = around([picture]);
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  const toX = (x: number) => Math.round((x - paper.left) * paper.scale);
  const toY = (y: number) => Math.round((paper.top - y) * paper.scale);
  const [fromX, untilX] = [clamp(toX(box.left), paper.width), clamp(toX(box.right), paper.width)];
  const [fromY, untilY] = [clamp(toY(box.top), paper.height), clamp(toY(box.bottom), paper.height)];
  const { gray, isBlank } = toGray(picture);
  // Along a row of the paper, the position in the image advances by constant steps.
  const [stepU, stepV] = [
    ((d / whole) * picture.width) / paper.scale,
    ((b / whole) * picture.height) / paper.scale,
  ];
  const x = paper.left + (fromX + 0.5) / paper.scale - e;
  for (let row = fromY; row < untilY; row++) {
    const y = paper.top - (row + 0.5) / paper.scale - f;
    const startU = ((d * x - c * y) / whole) * picture.width;
    const startV = (1 - (a * y - b * x) / whole) * picture.height;
    for (let step = 0; step < untilX - fromX; step++) {
      const u = Math.floor(startU + step * stepU);
      const v = Math.floor(startV + step * stepV);
      if (u < 0 || v < 0 || u >= picture.width || v >= picture.height) continue;
      const at = v * picture.width + u;
      if (isBlank?.[at] !== 1) paper.pixels[row * paper.width + fromX + step] = gray[at] ?? 255;
    }
  }
}

interface Gray {
  /** 0 is black, 255 white. */
  gray: Uint8Array;
  /** 1 for dots that nothing paints. */
  isBlank?: Uint8Array;
}

function toGray(picture: PlacedPicture): Gray {
  if (picture.kind === 1) return { gray: spreadBits(picture, 255) };
  if (picture.kind === 'mask')
    return { gray: new Uint8Array(picture.width * picture.height), isBlank: spreadBits(picture, 1) };
  return { gray: mixColors(picture, picture.kind + 1) };
}

function spreadBits({ width, height, data }: PlacedPicture, set: number): Uint8Array {
  const spread = new Uint8Array(width * height);
  const rowBytes = (width + 7) >> 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[y * rowBytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) spread[y * width + x] = set;
    }
  }
  return spread;
}

function mixColors({ width, height, data }: PlacedPicture, channels: number): Uint8Array {
  const gray = new Uint8Array(width * height);
  for (let pixel = 0; pixel < gray.length; pixel++) {
    const at = pixel * channels;
    const mixed = (77 * (data[at] ?? 0) + 150 * (data[at + 1] ?? 0) + 29 * (data[at + 2] ?? 0)) >> 8;
    const opacity = channels === 4 ? (data[at + 3] ?? 255) : 255;
    gray[pixel] = opacity === 255 ? mixed : Math.round(255 + ((mixed - 255) * opacity) / 255);
  }
  return gray;
}

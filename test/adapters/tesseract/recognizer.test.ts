import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INSTALL_LOCK } from '../../../infra/only-installer.ts';
import { installRecognition, removeRecognition } from '../../../infra/recognition/install.ts';
import { drawPictures, multiply, type PlacedPicture } from '../../../lib/adapters/tesseract/draw-pictures.ts';
import {
  ENGINE_FILES,
  engineFolder,
  type RecognitionManifest,
} from '../../../lib/adapters/tesseract/manifest.ts';
import { tesseractRecognizer } from '../../../lib/adapters/tesseract/recognizer.ts';
import { tidy } from '../../../lib/adapters/tesseract/tesseract.ts';
import { NotConfigured, Unreadable } from '../../../lib/errors.ts';
import { describeFile, type InstalledFile } from '../../../lib/paths/installed-files.ts';
import { goldenDocument } from '../../lib/formats/samples.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/**
 * Behaves like tesseract.js-core, and reports how many bytes it got. Crashes on GIFs, and is unsure about
 * BMPs.
 */
const ENGINE = `module.exports = async () => {
  let input;
  return {
    FS: { writeFile: (path, bytes) => { if (path === '/input') input = bytes; } },
    TessBaseAPI: class {
      Init() { return 0; }
      SetVariable() {}
      SetImageFile(orientation) { this.orientation = orientation; return input.length === 0 ? 1 : 0; }
      Recognize() { if (input[0] === 0x47) throw new Error('memory access out of bounds'); }
      MeanTextConf() { return input[0] === 0x42 ? 20 : 90; }
      GetUTF8Text() { return \`\${input.length} bytes, turned \${this.orientation}\`; }
      Clear() {}
    },
  };
};`;
const DEADLY = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const PDF = 'export const OPS = {}; export const GlobalWorkerOptions = {};';

describe('OCR engine that only counts bytes', () => {
  // Outside the test run's folder, because the path is an argument of the engine's process, which ends after
  // the last test.
  const caches = resolve(import.meta.dirname, '../../../.cache');
  let folder = '';
  let manifest: RecognitionManifest;
  beforeAll(async () => {
    await mkdir(caches, { recursive: true });
    folder = await mkdtemp(join(caches, 'engine-'));
    await mkdir(engineFolder(folder));
    const files: Record<string, InstalledFile> = {};
    for (const [name, text] of Object.entries({
      'tesseract.cjs': ENGINE,
      'tesseract.wasm': '',
      'pdf.mjs': PDF,
    })) {
      await writeFile(join(engineFolder(folder), name), text);
      files[name] = await describeFile(join(engineFolder(folder), name));
    }
    manifest = { id: 'counts@1', languages: [], source: '', installedAt: '', files };
  });
  afterAll(() => rm(folder, { recursive: true }));

  const read = (bytes: Uint8Array) =>
    tesseractRecognizer(folder, manifest).readPage({ format: 'picture', bytes, page: 1 });

  it('refuses a changed file and says what to do', async () => {
    // The engine must be loaded again afterwards.
    await expect(read(DEADLY)).rejects.toBeInstanceOf(Unreadable);
    const page = { format: 'picture' as const, bytes: goldenDocument('apes.png'), page: 1 };
    const files = { ...manifest.files, 'pdf.mjs': { bytes: 1, sha256: 'other' } };
    const changed = tesseractRecognizer(folder, { ...manifest, files }).readPage(page);
    await expect(changed).rejects.toThrow(
      /pdf\.mjs was changed after the installation\. Run npm run recognition/,
    );
    await expect(changed).rejects.toBeInstanceOf(NotConfigured);
  });

  it("is reported as missing if it is removed while the service runs, and its pages don't count as blank", async () => {
    const page = { format: 'picture' as const, bytes: goldenDocument('apes.png'), page: 1 };
    const removed = tesseractRecognizer(join(folder, 'removed'), manifest).readPage(page);
    await expect(removed).rejects.toBeInstanceOf(NotConfigured);
  });

  it('gets images unchanged, with their rotation', async () => {
    expect(await read(goldenDocument('apes.png'))).toBe('749 bytes, turned 1');
    expect(await read(goldenDocument('turned.jpg'))).toMatch(/turned 6$/);
  });

  it('rejects an image that crashes it, and reads the next image', async () => {
    await expect(read(DEADLY)).rejects.toBeInstanceOf(Unreadable);
    await expect(read(Buffer.from('no picture'))).rejects.toBeInstanceOf(Unreadable);
    expect(await read(goldenDocument('apes.png'))).toBe('749 bytes, turned 1');
  });

  it('returns no text if its confidence is too low', async () => {
    const bmp = Buffer.alloc(58);
    bmp.write('BM');
    bmp.writeUInt32LE(40, 14);
    bmp.writeInt32LE(1, 18);
    bmp.writeInt32LE(1, 22);
    expect(await read(bmp)).toBe('');
  });
});

describe('installed OCR files', () => {
  async function filledFolder(files: string[]): Promise<string> {
    const folder = await tempFolder();
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), file);
    }
    return folder;
  }
  const INSTALLED = ['manifest.json', 'engine/tesseract.cjs'];
  const ENGINE_NAMES = Object.keys(ENGINE_FILES);

  it.each([
    ["the folder doesn't exist", [], /can't be read/],
    ['a file is missing', ['tesseract.cjs', 'eng.traineddata.gz'], /has no tesseract.wasm, pdf.mjs/],
    ['there is no language', ENGINE_NAMES, /has no language/],
    ["a file isn't named after a language", [...ENGINE_NAMES, '._eng.traineddata.gz'], /has no language/],
    ['a language is a folder', [...ENGINE_NAMES, 'eng.traineddata.gz/x'], /has no eng.traineddata.gz/],
  ])('are kept if %s', async (_, files, says) => {
    const folder = await filledFolder(INSTALLED);
    const from = files.length === 0 ? join(folder, 'missing') : await filledFolder(files);
    await expect(installRecognition(folder, from)).rejects.toThrow(says);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      ['engine', INSTALL_LOCK, ...INSTALLED].sort(),
    );
  });

  it('are in their own folder, and other folders keep their files', async () => {
    const folder = await filledFolder(['thesis.tex', 'engine/mine.txt']);
    const from = await filledFolder([...ENGINE_NAMES, 'eng.traineddata.gz']);
    await expect(installRecognition(folder, from)).rejects.toThrow(/other files, such as thesis.tex/);
    await expect(removeRecognition(folder)).rejects.toThrow(/other files, such as thesis.tex/);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual([
      'engine',
      'engine/mine.txt',
      'thesis.tex',
    ]);
    const own = await filledFolder(INSTALLED);
    await removeRecognition(own);
    await expect(readdir(own)).rejects.toThrow(/ENOENT/);
  });
});

it('tidy joins Chinese characters without spaces and separates words', () => {
  expect(tidy(' 望远 镜 在 去年 ， 修理 完毕 。 In the year 1997 \ud800')).toBe(
    '望远镜在去年，修理完毕。 In the year 1997 \ufffd',
  );
});

describe('joined image of a PDF page', () => {
  /** Two black dots in a row of four, one bit each, placed on the page. */
  const bits = (matrix: PlacedPicture['matrix'], byte = 0b10010000): PlacedPicture => ({
    ...{ width: 4, height: 1, kind: 1, matrix },
    data: Uint8Array.of(byte),
  });
  const PAGE = [0, 0, 80, 40];
  /** Black dots as #, by rows, of every tenth dot. */
  const shown = (pgm: Uint8Array | undefined) => {
    const [, width = 0, height = 0] =
      /^P5\n(\d+) (\d+)\n/.exec(Buffer.from(pgm ?? []).toString('latin1')) ?? [];
    const pixels = Buffer.from(pgm ?? []).subarray(-Number(width) * Number(height));
    const rows = Array.from({ length: Number(height) / 10 }, (_, row) => row * 10 + 5);
    return rows.map((row) =>
      Array.from({ length: Number(width) / 10 }, (_, column) =>
        (pixels[row * Number(width) + column * 10 + 5] ?? 255) < 128 ? '#' : '.',
      ).join(''),
    );
  };
  /** Here, one dot is a tenth of a dot, so that a page with few dots is large enough. */
  const fine: PlacedPicture = {
    ...{ width: 800, height: 1, kind: 1, matrix: [80, 0, 0, 0.1, 0, 39.9] },
    data: new Uint8Array(100).fill(255),
  };

  it('has strips below each other, and the letter mask over its background', () => {
    const strips = [bits([40, 0, 0, 10, 0, 30]), bits([40, 0, 0, 10, 0, 20], 0b01100000)];
    const background: PlacedPicture = {
      ...{ width: 1, height: 1, kind: 2, matrix: [80, 0, 0, 10, 0, 10] },
      data: Uint8Array.of(240, 230, 200),
    };
    const mask: PlacedPicture = { ...bits([80, 0, 0, 10, 0, 10], 0b01110000), kind: 'mask' };
    const rows = shown(drawPictures([fine, ...strips, background, mask], PAGE));
    const every = rows
      .filter((_, row) => row % 10 === 5)
      .map((row) => [5, 15, 25, 35, 45, 55, 65, 75].map((at) => row[at]).join(''));
    expect(every).toEqual(['.##.....', '#..#....', '##......']);
  });

  it('is undefined without images, for a page of zero size, and for a single dot', () => {
    expect(drawPictures([], PAGE)).toBeUndefined();
    expect(drawPictures([bits([40, 0, 0, 10, 0, 30])], [0, 0, 0, 0])).toBeUndefined();
    expect(drawPictures([bits([0, 0, 0, 0, 0, 0])], PAGE)).toBeUndefined();
    expect(drawPictures([bits([4, 0, 0, 1, 0, 0])], PAGE)).toBeUndefined();
  });

  it('contains nested images at the right position', () => {
    expect(multiply([2, 0, 0, 2, 10, 20], [1, 0, 0, 1, 5, 5])).toEqual([2, 0, 0, 2, 20, 30]);
  });
});

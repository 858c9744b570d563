import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Unreadable } from '../../errors.ts';
import { LANGUAGE_FILE } from './manifest.ts';

/** The parts of tesseract.js-core that are used here, as in its README; it has no types. */
interface TesseractModule {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  TessBaseAPI: new () => TesseractApi;
}

interface TesseractApi {
  /** Loads languages. Returns 0 on success. Engine 1 uses only neural networks. */
  Init(folder: string, languages: string, engine: 1): number;
  SetVariable(name: string, value: string): unknown;
  /**
   * Reads /input, turned first by the EXIF orientation, then by an angle. Returns 1 for an unreadable file.
   */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  MeanTextConf(): number;
  GetUTF8Text(): string;
  Clear(): void;
}

type OpenModule = (options: {
  wasmBinary: Uint8Array;
  print(text: string): void;
  printErr(text: string): void;
  TesseractProgress(percent: number): void;
}) => Promise<TesseractModule>;

/** Returns the text of an image. Throws Unreadable for bytes that aren't an image. */
export type ReadPicture = (picture: OrientedPicture) => string;

export interface OrientedPicture {
  bytes: Uint8Array;
  /** The EXIF orientation; 1 is upright. */
  orientation: number;
}

/**
 * Minimum confidence. Below it, the text is a guess from texture, drawings, or handwriting. Print on a fair
 * scan has 85 to 95.
 */
const LEAST_CONFIDENCE = 50;
/** Maximum characters per page: as many as a dense newspaper page has. */
const MAX_CHARACTERS = 30_000;
/** The page segmentation mode that finds columns and blocks automatically. */
const WHOLE_PAGES = '3';

export async function openTesseract(folder: string, languages: string[]): Promise<ReadPicture> {
  const url = pathToFileURL(join(folder, 'tesseract.cjs')).href;
  const { default: open } = (await import(url)) as { default: OpenModule };
  const silent = () => {};
  const tesseract = await open({
    ...{ print: silent, printErr: silent, TesseractProgress: silent },
    wasmBinary: await readFile(join(folder, 'tesseract.wasm')),
  });
  for (const language of languages) {
    const data = gunzipSync(await readFile(join(folder, language + LANGUAGE_FILE)));
    tesseract.FS.writeFile(`/${language}.traineddata`, data);
  }
  const api = new tesseract.TessBaseAPI();
  if (api.Init('/', languages.join('+'), 1) !== 0)
    throw new Error(`The OCR engine does not know ${languages.join(', ')}.`);
  api.SetVariable('tessedit_pageseg_mode', WHOLE_PAGES);
  return ({ bytes, orientation }) => {
    tesseract.FS.writeFile('/input', bytes);
    if (api.SetImageFile(orientation, 0) === 1) throw new Unreadable('broken', "The image can't be read.");
    api.Recognize(null);
    const text = api.MeanTextConf() < LEAST_CONFIDENCE ? '' : api.GetUTF8Text();
    api.Clear();
    return tidy(text);
  };
}

const EAST_ASIAN = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\u3000-\\u303f\\uff00-\\uffef';
const GAPS = new RegExp(`(?<=[${EAST_ASIAN}]) +(?=[${EAST_ASIAN}])`, 'gu');

/**
 * Removes the spaces that Tesseract puts between Chinese characters, because a search wouldn't find the
 * words.
 */
export function tidy(text: string): string {
  return text.slice(0, MAX_CHARACTERS).toWellFormed().replace(GAPS, '').trim();
}

import { operatorCommand } from '../../config/installation.ts';
import { NotConfigured, ServiceError, Unreadable } from '../../errors.ts';
import { isolatedProgram } from '../../isolation/program.ts';
import { findChangedFile, type InstalledFile } from '../../paths/installed-files.ts';
import type { PictureOfPage } from '../../ports/recognizer.ts';
import { openPdfPages, type PdfPages } from './pdf-pages.ts';
import { type OrientedPicture, openTesseract, type ReadPicture } from './tesseract.ts';

/** The program to run, and the installed files that it needs. */
export interface InstalledEngine {
  folder: string;
  languages: string[];
  files: Record<string, InstalledFile>;
}

interface Engine {
  readPicture: ReadPicture;
  pageOf: PdfPages;
}

let engine: Promise<Engine> | undefined;

/**
 * Maximum pixels of an image. 50 million take 400 MB in tesseract, and 200 MB more if the image is from a
 * PDF.
 */
export const program = isolatedProgram(
  import.meta,
  {
    readPage: async ({ engine: installed, page }: { engine: InstalledEngine; page: PictureOfPage }) => {
      engine ??= load(installed);
      const { readPicture, pageOf } = await engine.catch(notHad);
      try {
        const { format, bytes, page: number } = page;
        const picture = format === 'pdf' ? await pageOf(bytes, number) : await upright(bytes);
        return picture === undefined ? '' : readPicture(picture);
      } catch (error) {
        engine = undefined; // the engine may be unusable now
        if (error instanceof ServiceError || error instanceof RangeError) throw error;
        throw new Unreadable('broken', "The image can't be read.", { cause: error });
      }
    },
  },
  { memoryMb: 1280, heapMb: 512, cpuSeconds: 300, atOnce: { main: 1, worker: 1 } },
);

/**
 * Returns the image with its orientation, because phones don't turn the pixels but record how to turn them.
 */
async function upright(bytes: Uint8Array): Promise<OrientedPicture> {
  const { imageSize } = await import('image-size');
  return { bytes, orientation: imageSize(bytes).orientation ?? 1 };
}

async function load({ folder, languages, files }: InstalledEngine): Promise<Engine> {
  const changed = await findChangedFile(folder, files);
  if (changed !== undefined) throw new Error(`${changed} was changed after the installation.`);
  return { readPicture: await openTesseract(folder, languages), pageOf: await openPdfPages(folder) };
}

function notHad(error: Error): never {
  engine = undefined;
  throw new NotConfigured(
    'ocr_unavailable',
    `OCR isn't available. ${error.message} Run ${operatorCommand('recognition install')}, or ${operatorCommand('recognition remove')}.`,
  );
}

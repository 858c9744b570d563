import { join } from 'node:path';
import * as z from 'zod';
import { readInstalled } from '../../paths/installed-files.ts';

/** The engine's files by their names in its folder, without the language files. */
export const ENGINE_FILES = {
  'tesseract.cjs': 'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.wasm': 'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  'pdf.mjs': 'pdfjs-dist/legacy/build/pdf.min.mjs',
  'pdf.worker.mjs': 'pdfjs-dist/legacy/build/pdf.worker.min.mjs',
  'jbig2.wasm': 'pdfjs-dist/wasm/jbig2.wasm',
  'openjpeg.wasm': 'pdfjs-dist/wasm/openjpeg.wasm',
  'qcms_bg.wasm': 'pdfjs-dist/wasm/qcms_bg.wasm',
};

/** The suffix of a language's file name. */
export const LANGUAGE_FILE = '.traineddata.gz';
/** Matches a valid language name. */
export const LANGUAGE = /^\w+$/;

/**
 * The installation in DATA_DIR/recognition. The manifest is written last, because without it nothing counts as
 * installed. The hashes are of the downloaded files; each process that loads the files compares them.
 */
const manifestSchema = z.object({
  /** Identifies the recognizer, with part of a hash of all files, so that texts read by another one are read again. */
  id: z.string(),
  /** The languages in the order in which they are tried. */
  languages: z.array(z.string().regex(LANGUAGE)).min(1),
  /** Packages with their versions, or a folder. */
  source: z.string(),
  installedAt: z.string(),
  files: z.record(z.string(), z.object({ bytes: z.number().int(), sha256: z.string() })),
});
export type RecognitionManifest = z.infer<typeof manifestSchema>;

export function engineFolder(folder: string): string {
  return join(folder, 'engine');
}

/** Returns the manifest; undefined if none is installed. Throws if it can't be read. */
export function readRecognitionManifest(folder: string): Promise<RecognitionManifest | undefined> {
  return readInstalled(folder, manifestSchema);
}

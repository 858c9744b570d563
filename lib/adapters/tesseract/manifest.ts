import { join } from 'node:path';
import * as z from 'zod';
import { readInstalled } from '../../paths/installed-files.ts';

/** The engine's files by their names in its folder; there is one more per language. */
export const ENGINE_FILES = {
  'tesseract.cjs': 'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.wasm': 'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  'pdf.mjs': 'pdfjs-dist/legacy/build/pdf.min.mjs',
  'pdf.worker.mjs': 'pdfjs-dist/legacy/build/pdf.worker.min.mjs',
  'jbig2.wasm': 'pdfjs-dist/wasm/jbig2.wasm',
  'openjpeg.wasm': 'pdfjs-dist/wasm/openjpeg.wasm',
  'qcms_bg.wasm': 'pdfjs-dist/wasm/qcms_bg.wasm',
};

/** Behind the name of a language in the name of its file. */
export const LANGUAGE_FILE = '.traineddata.gz';
/** How a language may be called. */
export const LANGUAGE = /^\w+$/;

/**
 * What is installed in DATA_DIR/recognition, written last: without it nothing is. The hashes are of the files as they came; each
 * process that loads them compares.
 */
const manifestSchema = z.object({
  /** Names the recognizer: with a part of a hash of all files, so that what another one read is read again. */
  id: z.string(),
  /** The order in which they are tried. */
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

/** Undefined where none is installed. Throws for one that cannot be read. */
export function readRecognitionManifest(folder: string): Promise<RecognitionManifest | undefined> {
  return readInstalled(folder, manifestSchema);
}
